package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.artifacts.Artifacts;
import org.fedometer.profiles.artifacts.TransferProgress;
import org.fedometer.profiles.stack.fedora.FedoraInstaller;
import org.fedometer.profiles.stack.fedora.InstalledFedoras;
import org.fedometer.profiles.stack.home.FileChecksums;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.java.JavaHomes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fedora's installers: what a home gets that is copied is what it gets that is installed. */
@Tag("fedora")
class FedoraInstallerIT {

  @TempDir private Path folder;

  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @CsvSource({"3.8.1, akubra-fs, false, 17", "3.5, legacy-fs, true, 25"})
  void aCopyIsWhatTheInstallerMakesOnWhateverJava(
      String fedora, String lowlevel, String xacml, String java) throws Exception {
    List<String> changes =
        List.of("fedora=" + fedora, "lowlevel=" + lowlevel, "fedora.xacml=" + xacml);
    // No cache can be made where a file is.
    Path file = Files.createFile(folder.resolve("file"));
    Path cache = folder.resolve("cache");

    Map<String, String> installed = install("installed", changes, "25", file);
    Map<String, String> first = install("first", changes, java, cache);
    Map<String, String> copy = install("copy", changes, java, cache);

    assertThat(folder.resolve("copy/logs/install.log")).as("no installer ran").isEmptyFile();
    // Short message, because there are hundreds.
    assertThat(installed.size()).isGreaterThan(400);
    assertThat(differences(installed, first)).isEmpty();
    assertThat(differences(installed, copy)).isEmpty();
  }

  private static List<String> differences(Map<String, String> one, Map<String, String> other) {
    Set<String> names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    names.removeIf(name -> Objects.equals(one.get(name), other.get(name)));
    return List.copyOf(names);
  }

  /** Each file of a Fedora to its permissions and content. */
  private Map<String, String> install(
      String name, List<String> changes, String javaVersion, Path cache) throws Exception {
    Path home = Files.createDirectory(folder.resolve(name));
    StackFolders folders = new StackFolders(home);
    Files.createDirectories(folders.logs());
    Files.createFile(folders.installLog());
    List<String> choices = new ArrayList<>(changes);
    choices.add("jvm=" + javaVersion);
    Profile profile = Profiles.shipped().profile("mulgara-derby", choices);
    Path java = JavaHomes.ofMachine().forProfile(profile).home();
    StackDocument document = StackDocument.of(name, profile, StackOptions.at(home), java);
    Path installer;
    try (Artifacts artifacts = Artifacts.ofUser(TransferProgress.SILENT)) {
      installer = artifacts.resolve(List.of(document.setting("fedora.installer"))).get(0);
    }
    String password = "password-of-" + name;
    new FedoraInstaller(folders, document)
        .install(
            installer,
            FileChecksums.ofUser().sha256(installer),
            List.of(),
            password,
            new InstalledFedoras(cache));
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folders.fedora())) {
      for (Path file : (Iterable<Path>) all::iterator) {
        String path = folders.fedora().relativize(file).toString();
        files.put(
            path,
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                + (Files.isDirectory(file) ? "" : " " + content(file, home, password)));
      }
    }
    return files;
  }

  /** But for what may differ: home, password, and in properties the time and the order. */
  private static String content(Path file, Path home, String password) throws IOException {
    String content =
        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
            .replace(home.toString(), "HOME")
            .replace(password, "PASSWORD");
    if (file.getFileName().toString().endsWith(".properties")) {
      content =
          content
              .lines()
              .filter(line -> !line.matches("#\\w{3} \\w{3} \\d.* \\d{4}"))
              .sorted()
              .collect(Collectors.joining("\n"));
    }
    return FileChecksums.sha256(content.getBytes(StandardCharsets.ISO_8859_1));
  }
}
