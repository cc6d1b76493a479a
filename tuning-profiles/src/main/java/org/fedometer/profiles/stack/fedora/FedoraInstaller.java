package org.fedometer.profiles.stack.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.fedometer.profiles.DatabaseProduct;
import org.fedometer.profiles.stack.home.FileChecksums;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.profiles.stack.program.UnpackedPrograms;

/** Installs Fedora into a stack's home with Fedora's own installer. For one thread. */
public final class FedoraInstaller {

  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /**
   * JVM options for short runs, where full compilation takes longer than it saves. A JVM ignores
   * options that it does not know.
   */
  private static final List<String> SHORT_LIVED =
      List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** Installed files that a measured Fedora does not need. */
  private static final List<String> SUPERFLUOUS =
      List.of(
          "docs",
          "client",
          "install/fedora.war",
          "tomcat/webapps/docs",
          "tomcat/webapps/examples",
          "tomcat/webapps/host-manager",
          "tomcat/webapps/manager");

  /** Version of this class's work besides running the installer; must change with it. */
  private static final int FORM = 1;

  private final StackFolders folders;
  private final StackDocument stack;

  /**
   * @param folders the folders of a home without a Fedora
   */
  public FedoraInstaller(StackFolders folders, StackDocument stack) {
    this.folders = folders;
    this.stack = stack;
  }

  /**
   * Installs Fedora, or copies an installation with equal answers.
   *
   * @param sha256 the checksum of the installer's file
   * @param libraries jars for Tomcat's lib folder
   * @param installed the installations available for copying
   */
  public void install(
      Path installer,
      String sha256,
      List<Path> libraries,
      String adminPassword,
      InstalledFedoras installed)
      throws IOException, InterruptedException, ProvisioningException {
    StackFiles.writePrivately(folders.installProperties(), answers(folders, adminPassword));
    if (!installed.canServe(folders)
        || !copy(installer, name(installer, sha256), adminPassword, installed)) {
      runInstaller(installer, folders, adminPassword);
    }
    for (Path library : libraries) {
      Files.copy(
          library,
          folders.tomcat().resolve("lib").resolve(library.getFileName()),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Returns whether the copy succeeded. An unusable cache costs time, but does not prevent the
   * stack.
   */
  private boolean copy(
      Path installer, String name, String adminPassword, InstalledFedoras installed)
      throws IOException, InterruptedException, ProvisioningException {
    try {
      installed.copy(
          name,
          folders,
          adminPassword,
          (aside, password) -> runInstaller(installer, aside, password));
      return true;
    } catch (IOException e) {
      StackFiles.deleteTree(folders.fedora());
      return false;
    }
  }

  /** Returns a name that is equal for equal installers, answers and forms. */
  private String name(Path installer, String sha256) {
    String answers = answers(new StackFolders(Path.of("/home")), "password");
    String what = FORM + "\n" + sha256 + "\n" + answers;
    return installer.getFileName().toString().replaceFirst("\\.jar$", "")
        + "-"
        + FileChecksums.sha256(what.getBytes(StandardCharsets.UTF_8)).substring(0, 16);
  }

  private String answers(StackFolders home, String adminPassword) {
    return textOf(FedoraConfiguration.installProperties(home, stack, adminPassword));
  }

  /**
   * @param target the folders of the stack's or another home
   */
  private void runInstaller(Path installer, StackFolders target, String adminPassword)
      throws IOException, InterruptedException, ProvisioningException {
    // The installer unpacks to fixed names there, so that two of them would collide.
    Path temporary = Files.createDirectories(target.home().resolve("install-temporary"));
    Path answers = temporary.resolve("answers.properties");
    StackFiles.writePrivately(answers, answers(target, adminPassword));
    long before = LogLines.size(folders.installLog());
    List<String> command = new ArrayList<>();
    command.add(Path.of(stack.plan().javaHome(), "bin/java").toString());
    // Marks the process for stops of the stack, regardless of its target folder.
    command.add(FedoraServer.marker(folders));
    command.addAll(SHORT_LIVED);
    command.addAll(
        List.of("-Djava.io.tmpdir=" + temporary, "-jar", installer.toString(), answers.toString()));
    int status = new Command(command, folders.home(), folders.installLog()).run("", TIMEOUT);
    Path war = target.tomcat().resolve("webapps/fedora.war");
    if (status != 0 || !Files.exists(war)) {
      throw new ProvisioningException(
          ProvisioningStep.INSTALL,
          "Fedora's installer failed: "
              + LogLines.firstError(folders.installLog(), before)
                  .orElse("its log does not say why"),
          folders.installLog());
    }
    StackFiles.deleteTree(temporary);
    // Unpacked here instead of by Tomcat, so that its configuration can be changed.
    try (InputStream archive = Files.newInputStream(war)) {
      UnpackedPrograms.unzip(archive, target.webapp(), name -> name);
    }
    Files.delete(war);
    for (String path : SUPERFLUOUS) {
      StackFiles.deleteTree(target.fedora().resolve(path));
    }
    skipJarScan(target);
  }

  /** Returns the properties sorted and without the time, so that equal ones have equal text. */
  static String textOf(Properties properties) {
    StringWriter text = new StringWriter();
    try {
      properties.store(text, null);
    } catch (IOException e) {
      throw new UncheckedIOException("into memory", e);
    }
    return text.toString()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .sorted()
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Replaces Fedora's own JDBC driver for the database in the webapp. */
  public void replaceDriver(Path driver) throws IOException {
    String bundled =
        DatabaseProduct.of(stack.setting("database.product")).driverJars() + "-[0-9]*.jar";
    Path libraries = folders.webapp().resolve("WEB-INF/lib");
    try (DirectoryStream<Path> replaced = Files.newDirectoryStream(libraries, bundled)) {
      for (Path jar : replaced) {
        Files.delete(jar);
      }
    }
    Files.copy(driver, libraries.resolve(driver.getFileName()));
  }

  /**
   * Skips Tomcat's search of Fedora's 182 jars for annotations and fragments, of which they have
   * none. Saves 10 of 28 s of processor time at each start, and stack traces about
   * module-info.class.
   */
  private static void skipJarScan(StackFolders target) throws IOException {
    Files.writeString(
        target.tomcat().resolve("conf/catalina.properties"),
        "\ntomcat.util.scan.DefaultJarScanner.jarsToSkip=*.jar\n",
        StandardOpenOption.APPEND);
  }
}
