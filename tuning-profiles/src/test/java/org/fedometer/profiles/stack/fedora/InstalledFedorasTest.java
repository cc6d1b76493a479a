package org.fedometer.profiles.stack.fedora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.StackFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstalledFedorasTest {

  @TempDir private Path folder;
  private int installations;

  @Test
  void replacesFolderAndPasswordForEachHome() throws Exception {
    StackFolders first = copyTo("first", "one");
    StackFolders second = copyTo("second", "two");

    assertThat(installations).isOne();
    assertThat(first.fedora().resolve("server/config/texts"))
        .content()
        .isEqualTo(first.fedora() + "/data by one, gr\u00fcn\n");
    assertThat(second.fedora().resolve("server/config/texts"))
        .content()
        .isEqualTo(second.fedora() + "/data by two, gr\u00fcn\n");
    assertThat(second.fedora().resolve("tomcat/temp")).isEmptyDirectory();
    Path script = second.fedora().resolve("tomcat/bin/start.sh");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void noPasswordOfAStackIsInTheCache() throws Exception {
    copyTo("home", "secret-of-the-stack");

    try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
      assertThat(files.filter(Files::isRegularFile))
          .isNotEmpty()
          .allSatisfy(file -> assertThat(file).content().doesNotContain("secret-of-the-stack"));
    }
  }

  @Test
  void otherAnswersMakeAnotherFedora() throws Exception {
    copy("fedora-1", "first", "one");
    copy("fedora-2", "second", "two");

    assertThat(installations).isEqualTo(2);
  }

  @Test
  void oneThatHasLostAFileIsRefusedAndMadeAgain() throws Exception {
    copyTo("first", "one");
    Path installed = folder.resolve("cache/fedora/fedora-1");
    Files.delete(installed.resolve("fedora/tomcat/bin/start.sh"));

    assertThatThrownBy(() -> copyTo("second", "two"))
        .isInstanceOf(IOException.class)
        .hasMessage(installed + " was not complete");
    StackFolders third = copyTo("third", "three");

    assertThat(installations).isEqualTo(2);
    assertThat(third.fedora().resolve("tomcat/bin/start.sh")).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"installed.properties", "fedora"})
  void oneThatHasLostItsRecordOrItsFolderIsRefusedAndMadeAgain(String lost) throws Exception {
    copyTo("first", "one");
    Path installed = folder.resolve("cache/fedora/fedora-1");
    StackFiles.deleteTree(installed.resolve(lost));

    assertIsMadeAgain(installed);
  }

  @Test
  void oneWhoseRecordIsEmptyIsRefusedAndMadeAgain() throws Exception {
    copyTo("first", "one");
    Path installed = folder.resolve("cache/fedora/fedora-1");
    Files.writeString(installed.resolve("installed.properties"), "");

    assertIsMadeAgain(installed);
  }

  private void assertIsMadeAgain(Path installed) throws Exception {
    assertThatThrownBy(() -> copyTo("second", "two"))
        .isInstanceOf(IOException.class)
        .hasMessage(installed + " was not complete");
    copyTo("third", "three");

    assertThat(installations).isEqualTo(2);
  }

  @Test
  void anInstallationThatFailsLeavesNothingInTheCache() throws Exception {
    assertThatThrownBy(
            () ->
                new InstalledFedoras(folder.resolve("cache"))
                    .copy(
                        "fedora-1",
                        new StackFolders(folder.resolve("home")),
                        "one",
                        (target, password) -> {
                          install(target, password);
                          throw new IOException("the disk is full");
                        }))
        .hasMessage("the disk is full");

    assertThat(folder.resolve("cache/fedora")).isEmptyDirectory();
  }

  @Test
  void anInterruptEndsACopy() throws Exception {
    copyTo("first", "one");

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> copyTo("second", "two")).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aFolderThatAnInstallerMayHaveToEscapeIsNotServed() {
    InstalledFedoras installed = new InstalledFedoras(Path.of("/home/me/.cache/fedometer"));

    assertThat(installed.canServe(new StackFolders(Path.of("/srv/a-1/b_2.c")))).isTrue();
    for (String odd : new String[] {"/srv/a b", "/srv/a&b", "/srv/gr\u00fcn", "/srv/a=b"}) {
      assertThat(installed.canServe(new StackFolders(Path.of(odd)))).as(odd).isFalse();
    }
    assertThat(
            new InstalledFedoras(Path.of("/home/me & you/.cache"))
                .canServe(new StackFolders(Path.of("/srv/a"))))
        .isFalse();
  }

  private StackFolders copyTo(String home, String password) throws Exception {
    return copy("fedora-1", home, password);
  }

  private StackFolders copy(String name, String home, String password) throws Exception {
    StackFolders folders = new StackFolders(folder.resolve(home));
    new InstalledFedoras(folder.resolve("cache")).copy(name, folders, password, this::install);
    return folders;
  }

  private void install(StackFolders target, String password) throws IOException {
    installations++;
    Path configuration = Files.createDirectories(target.fedora().resolve("server/config"));
    Files.writeString(
        configuration.resolve("texts"), target.fedora() + "/data by " + password + ", gr\u00fcn\n");
    Files.createDirectories(target.fedora().resolve("tomcat/temp"));
    Path script = Files.createDirectories(target.fedora().resolve("tomcat/bin"));
    Files.createFile(
        script.resolve("start.sh"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    Files.writeString(script.resolve("start.sh"), "#!/bin/sh\n");
  }
}
