package org.fedometer.profiles.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts with a Maven home of the test's own, whose central repository is a folder. */
class ArtifactsTest {

  private static final byte[] CONTENT = new byte[100_000];

  @TempDir Path folder;

  private Path mirror;
  private Path localRepository;
  private final List<String> transfers = new ArrayList<>();

  @BeforeEach
  void fillTheMirror() throws IOException {
    mirror = folder.resolve("mirror");
    localRepository = folder.resolve("elsewhere");
    Path version = Files.createDirectories(mirror.resolve("org/example/thing/1.0"));
    Files.write(version.resolve("thing-1.0.jar"), CONTENT);
  }

  @Test
  void mirrorAndLocalRepositoryOfTheUsersSettingsAreHonoured() throws Exception {
    try (Artifacts artifacts = artifacts(mirror.toUri().toString())) {
      Path file = artifacts.resolve("org.example:thing:1.0");

      assertThat(file)
          .isEqualTo(localRepository.resolve("org/example/thing/1.0/thing-1.0.jar"))
          .hasBinaryContent(CONTENT);
      assertThat(transfers).last().isEqualTo("thing-1.0.jar 100000/100000");
    }
  }

  @Test
  void whatIsThereIsNotFetchedAgain() throws Exception {
    try (Artifacts artifacts = artifacts(mirror.toUri().toString())) {
      artifacts.resolve("org.example:thing:1.0");
      transfers.clear();

      artifacts.resolve("org.example:thing:1.0");

      assertThat(transfers).isEmpty();
    }
  }

  @Test
  void anArtifactThatNoRepositoryHasIsNamed() throws IOException {
    try (Artifacts artifacts = artifacts(mirror.toUri().toString())) {
      assertThatThrownBy(
              () -> artifacts.resolve(List.of("org.example:thing:1.0", "org.example:thing:2.0")))
          .isInstanceOf(ArtifactUnavailableException.class)
          .hasMessage(
              "Could not get org.example:thing:jar:2.0 from a Maven repository: no repository"
                  + " has it. Check the network, and mirrors and proxies in Maven's settings.xml."
                  + " Downloaded files are kept in "
                  + localRepository
                  + ".");
    }
  }

  @Test
  void aRepositoryThatCannotBeReachedIsAReasonWithoutItsAddress() throws IOException {
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closedPort = socket.getLocalPort();
    }
    try (Artifacts artifacts = artifacts("http://127.0.0.1:" + closedPort + "/")) {
      assertThatThrownBy(() -> artifacts.resolve("org.example:thing:1.0"))
          .isInstanceOf(ArtifactUnavailableException.class)
          .hasMessageContaining("the repository refuses the connection")
          .hasMessageNotContaining("127.0.0.1");
    }
  }

  @Test
  void reportsOfflineMode() throws IOException {
    try (Artifacts artifacts = artifacts(mirror.toUri().toString(), "<offline>true</offline>")) {
      assertThatThrownBy(() -> artifacts.resolve("org.example:thing:1.0"))
          .isInstanceOf(ArtifactUnavailableException.class)
          .hasMessageContaining("offline");
    }
  }

  @Test
  void theMavenOnTheSearchPathIsFoundThroughItsLink() throws IOException {
    Path home = Files.createDirectories(folder.resolve("maven"));
    Path command = Files.createFile(Files.createDirectories(home.resolve("bin")).resolve("mvn"));
    assertThat(command.toFile().setExecutable(true)).isTrue();
    Files.createFile(Files.createDirectories(home.resolve("conf")).resolve("settings.xml"));
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("mvn"), command);

    assertThat(Artifacts.mavenHome(folder.resolve("none") + "::" + bin))
        .isEqualTo(home.toRealPath());
    assertThat(Artifacts.mavenHome(folder.resolve("none").toString())).isNull();
  }

  private Artifacts artifacts(String url, String... more) throws IOException {
    Path userHome = Files.createDirectories(folder.resolve("m2"));
    Files.writeString(
        userHome.resolve("settings.xml"),
        """
        <settings>
          <localRepository>%s</localRepository>
          %s
          <mirrors>
            <mirror><id>folder</id><mirrorOf>*</mirrorOf><url>%s</url></mirror>
          </mirrors>
        </settings>
        """
            .formatted(localRepository, String.join("", more), url));
    return Artifacts.open(
        new Artifacts.Places(userHome, Files.createDirectories(folder.resolve("no-maven"))),
        (file, doneBytes, totalBytes) -> transfers.add(file + " " + doneBytes + "/" + totalBytes));
  }
}
