package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreflightTest {

  @TempDir Path folder;

  @Test
  void thisMachineIsGoodForBothProfiles() throws Exception {
    for (String name : Profiles.names()) {
      Preflight.check(Profiles.load(name), StackOptions.at(folder.resolve("new/home")));
    }
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({"17.0.15, 17", "1.8.0_402, 8", "25, 25", "21-ea, 21", "11.0.2+9, 11", "x, 0"})
  void theFeatureOfAVersionIsKnown(String version, int feature) {
    assertThat(Preflight.featureOf(version)).isEqualTo(feature);
  }

  @Test
  void anOldJavaIsRefusedWithItsVersion() throws IOException {
    Path java = Files.createFile(Files.createDirectories(folder.resolve("bin")).resolve("java"));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"11.0.20\"\n");

    assertThatThrownBy(() -> Preflight.checkJava(folder, 17))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith(
            "Fedora's Java must be 17 or newer, " + folder + " holds 11.0.20; install one");
  }

  @Test
  void aFolderWithoutJavaIsRefused() {
    assertThatThrownBy(() -> Preflight.checkJava(folder, 17))
        .hasMessageStartingWith("There is no Java in " + folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/a b/c", "/a,b", "/a;b", "/a:b", "/a*", "/a#b", "/a%20b", "/${a}", "/a!"})
  void aHomeThatFedoraStumblesOverIsRefused(String home) {
    assertThatThrownBy(() -> Preflight.checkHome(Path.of(home)))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith("Fedora cannot live in " + home + ": it stumbles over '");
  }

  @Test
  void anOrdinaryHomeIsGood() {
    assertThatCode(() -> Preflight.checkHome(Path.of("/home/jos\u00e9/x-1_2.3+4@5~6=7")))
        .doesNotThrowAnyException();
  }

  @Test
  void aDiskThatIsTooSmallIsToldInFigures() {
    assertThatThrownBy(() -> Preflight.checkDisk(folder.resolve("a/b"), Long.MAX_VALUE))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageMatching(
            "The disk of .* has \\d+ MiB free, this stack needs about \\d+ MiB; make room.*");
  }

  @Test
  void aPortThatIsTakenIsTold() throws IOException {
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
