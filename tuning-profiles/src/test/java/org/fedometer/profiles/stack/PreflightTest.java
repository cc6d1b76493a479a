package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.database.PostgresBinaries;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreflightTest {

  @TempDir Path folder;

  @Test
  void thisMachineIsGoodForBothProfiles() throws Exception {
    for (String name : List.of("mptstore-postgresql", "mulgara-derby")) {
      Preflight.check(
          Profiles.shipped().profile(name), StackOptions.at(folder.resolve("new/home")));
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aProfileThatLacksSomethingIsRefused() {
    assertThatThrownBy(
            () ->
                Preflight.check(
                    Profiles.shipped().profile("fiz-remote-database"), StackOptions.at(folder)))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining("an external database needs database.url");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/a b/c", "/a,b", "/a;b", "/a:b", "/a*", "/a#b", "/a%20b", "/${a}", "/a!"})
  void aHomeThatFedoraStumblesOverIsRefused(String home) {
    assertThatThrownBy(() -> Preflight.checkHome(Path.of(home)))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith(
            "Fedora cannot be installed in " + home + ": it does not support '");
  }

  @Test
  void anOrdinaryHomeIsGood() {
    assertThatCode(() -> Preflight.checkHome(Path.of("/home/jos\u00e9/x-1_2.3+4@5~6=7")))
        .doesNotThrowAnyException();
  }

  @Test
  void reportsADiskThatIsTooSmall() {
    assertThatThrownBy(() -> Preflight.checkDisk(folder.resolve("a/b"), Long.MAX_VALUE))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageMatching(
            "The disk of .* has \\d+ MiB free, this stack needs about \\d+ MiB; free disk space.*");
  }

  @Test
  void theDiskOfTheDatabasesFolderIsLookedAtToo() throws Exception {
    Path other = Path.of("/dev/shm");
    if (!Files.isWritable(other)) {
      String sentence = "there is no second file system in /dev/shm that can be written to";
      if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        throw new IllegalStateException(sentence);
      }
      abort("SKIPPED: " + sentence);
    }
    boolean otherIsSmaller = usableBytes(other) < usableBytes(folder);
    Path small = otherIsSmaller ? other : folder;
    Path large = otherIsSmaller ? folder : other;
    // How large a machine's memory and disk are is not installed: no failure where all is required.
    assumeTrue(
        usableBytes(small) + (3L << 30) < usableBytes(large),
        "SKIPPED: /dev/shm has about as much space as " + folder + ", by 3 GiB");
    StackOptions options =
        StackOptions.at(large.resolve("fedometer-home"))
            .withExpectedDataBytes(usableBytes(small) + (500L << 20));

    Preflight.check(Profiles.shipped().profile("tuned"), options);
    Preflight.check(
        Profiles.shipped().profile("tuned", List.of("database.walFolder=" + small)), options);
    assertThatThrownBy(
            () ->
                Preflight.check(
                    Profiles.shipped().profile("tuned", List.of("database.dataFolder=" + small)),
                    options))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith("The disk of " + small + " has ");
  }

  private static long usableBytes(Path folder) {
    return folder.toFile().getUsableSpace();
  }

  @Test
  void aFolderForTheDatabaseMustBeThere() throws Exception {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(
            () ->
                Preflight.check(
                    Profiles.shipped().profile("tuned", List.of("database.walFolder=" + missing)),
                    StackOptions.at(folder.resolve("home"))))
        .isInstanceOf(ProvisioningException.class)
        .hasMessage(
            "database.walFolder "
                + missing
                + " is not a writable folder; create it, or name another one.");
    assertThat(missing).doesNotExist();
    assertThatThrownBy(() -> Preflight.checkFolder("database.dataFolder", Path.of("/a;b")))
        .hasMessageStartingWith("database.dataFolder /a;b: databases do not support ';' in a path");
    assertThatCode(() -> Preflight.checkFolder("database.dataFolder", folder))
        .doesNotThrowAnyException();
  }

  @Test
  void reportsAPortInUse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> Preflight.checkPort(taken.getLocalPort()))
          .isInstanceOf(ProvisioningException.class)
          .hasMessageStartingWith("Port " + taken.getLocalPort() + " of 127.0.0.1 is taken");
    }
    int free = Ports.free();
    assertThatCode(() -> Preflight.checkPort(free)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"Linux, amd64, linux-amd64", "Linux, aarch64, linux-arm64v8"})
  void postgresqlIsThereForThisPlatform(String system, String architecture, String platform)
      throws ProvisioningException {
    assertThat(PostgresBinaries.platform(system, architecture)).isEqualTo(platform);
  }

  @ParameterizedTest
  @CsvSource({"Mac OS X, aarch64", "Linux, riscv64", "Windows 11, amd64"})
  void postgresqlIsNotThereForThatPlatform(String system, String architecture) {
    assertThatThrownBy(() -> PostgresBinaries.platform(system, architecture))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining("not for " + system + " on " + architecture);
  }
}
