package org.fedometer.profiles.stack.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of database servers that can be checked without a start. */
class DatabaseServerTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mysql", "mariadb"})
  void usesTheStartTimeoutOfFedora(String product) throws Exception {
    StackOptions options = StackOptions.at(folder).withStartTimeout(Duration.ofSeconds(1));
    DatabaseServer server = server(options, 0, "database=" + product);
    Files.createDirectories(folder.resolve("logs"));
    Process neverReady = new ProcessBuilder("sleep", "60").start();
    try {
      LinuxProcess process = LinuxProcess.of(server.role(), neverReady.pid()).orElseThrow();

      assertThatThrownBy(() -> server.awaitReady(process, 0))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(server.role() + " did not accept connections within 1 s.");
    } finally {
      neverReady.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb"})
  void aRunningServerIsReadyWhenItSendsItsGreeting(String product) throws Exception {
    Process running = new ProcessBuilder("sleep", "60").start();
    try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      StackOptions options = StackOptions.at(folder).withStartTimeout(Duration.ofSeconds(2));
      DatabaseServer server = server(options, listening.getLocalPort(), "database=" + product);
      Files.createDirectories(folder.resolve("logs"));
      Files.writeString(server.log(), "mysqld: ready for connections.\n");
      LinuxProcess process = LinuxProcess.of(server.role(), running.pid()).orElseThrow();

      assertThatThrownBy(() -> server.awaitReady(process))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(server.role() + " did not accept connections within 2 s.");

      Thread greeting = new Thread(() -> greet(listening), "greeting");
      greeting.setDaemon(true);
      greeting.start();
      server.awaitReady(process);
    } finally {
      running.destroyForcibly();
    }
  }

  /** Acts like a server that accepts connections. */
  private static void greet(ServerSocket listening) {
    while (!listening.isClosed()) {
      try (Socket connection = listening.accept()) {
        connection.getOutputStream().write('J');
      } catch (IOException e) {
        // The client has gone, or the test is over.
      }
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

  private static DatabaseServer server(StackOptions options, int port, String... changes)
      throws Exception {
    StackDocument document =
        StackDocument.of(
                "1a",
                Profiles.shipped().profile("mptstore-postgresql", List.of(changes)),
                options,
                Path.of(System.getProperty("java.home")))
            .withPorts(0, port);
    return DatabaseServer.of(new StackFolders(options.home()), document).orElseThrow();
  }
}
