package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be said of database servers without starting one. */
class DatabaseServerTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mysql", "mariadb"})
  void aServerMayTakeAsLongToStartAsFedora(String product) throws Exception {
    StackOptions options = StackOptions.at(folder).withStartTimeout(Duration.ofSeconds(1));
    DatabaseServer server = server(options, "database=" + product);
    Files.createDirectories(folder.resolve("logs"));
    Process neverReady = new ProcessBuilder("sleep", "60").start();
    try {
      LinuxProcess process = LinuxProcess.of(server.role(), neverReady.pid()).orElseThrow();

      assertThatThrownBy(() -> server.awaitReady(process, 0))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(server.role() + " did not take connections within 1 s.");
    } finally {
      neverReady.destroyForcibly();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql, There is no PostgreSQL server in",
    "mariadb, There is no MariaDB server below"
  })
  void programsThatAreNotThereAreMissedBeforeAnythingIsMade(String product, String sentence) {
    Path home = folder.resolve("home");
    List<String> changes =
        List.of("database=" + product, "database.programs=" + folder.resolve("none"));

    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(
                        Profiles.shipped().profile("mptstore-postgresql", changes),
                        StackOptions.at(home),
                        ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith(sentence);
    assertThat(home).doesNotExist();
  }

  private static DatabaseServer server(StackOptions options, String... changes) throws Exception {
    StackDocument document =
        StackDocument.of(
            "1a",
            Profiles.shipped().profile("mptstore-postgresql", List.of(changes)),
            options,
            Path.of(System.getProperty("java.home")));
    return DatabaseServer.of(new StackFolders(options.home()), document).orElseThrow();
  }
}
