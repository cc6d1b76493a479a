package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.tls.TlsTrust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector with a certificate, and the commands that talk to one, as a user runs them. */
@Tag("fedora")
class TlsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final String TOKEN = "open sesame";

  @TempDir private Path folder;
  private Fedometer fedometer;
  private Path certificate;
  private Path key;
  private Path tokenFile;

  @BeforeEach
  void makeCertificate() throws Exception {
    fedometer = new Fedometer(folder);
    tokenFile = Files.writeString(folder.resolve("token"), TOKEN);
    CollectorCertificate made = CollectorCertificate.make(folder, "collector");
    certificate = made.certificate();
    key = made.key();
  }

  @AfterEach
  void nothingIsLeftRunning() {
    assertThat(fedometer.processesLeft()).isEmpty();
  }

  @Test
  void queriesAStoreByTls() throws Exception {
    Fedometer.Call collector =
        fedometer.startWithStore(
            "collect",
            "--listen",
            "127.0.0.1:0",
            "--token-file",
            tokenFile.toString(),
            "--tls-certificate",
            certificate.toString(),
            "--tls-key",
            key.toString());
    try {
      int port = portOf(collector);
      send(port);

      assertThat(from("localhost", port, "runs", "list", "--tls-ca", certificate.toString()).out())
          .contains("night");
      assertThat(
              from(
                      "127.0.0.1",
                      port,
                      "runs",
                      "query",
                      "SELECT 7 AS n",
                      "--tls-ca",
                      certificate.toString())
                  .expect(ExitCode.DONE)
                  .out())
          .contains("7");
      assertThat(
              from(
                      "127.0.0.1",
                      port,
                      "runs",
                      "fetch",
                      "night",
                      "--tls-ca",
                      certificate.toString(),
                      "--store",
                      folder.resolve("copy").toString())
                  .expect(ExitCode.DONE)
                  .out())
          .contains("night", "copied");

      assertThat(from("127.0.0.1", port, "runs", "list").expect(ExitCode.COULD_NOT_START).err())
          .startsWith("fedometer: The collector at 127.0.0.1:" + port)
          .contains("accepts only TLS connections", "--tls-ca")
          .doesNotContain("Exception");
      assertThat(
              from("127.0.0.1", port, "runs", "list", "--tls")
                  .expect(ExitCode.COULD_NOT_START)
                  .err())
          .contains("its certificate (CN=collector, issued by itself) is not trusted");
      assertThat(
              from("127.0.0.1", port, "runs", "list", "--tls-ca", key.toString())
                  .expect(ExitCode.BAD_USAGE)
                  .err())
          .contains("--tls-ca: " + key + " holds no certificate");

      var run = fedometer.startWithStore("run", "--tls").await(TIMEOUT);
      assertThat(run.expect(ExitCode.BAD_USAGE).err())
          .contains("--tls needs a remote collector", "--collector H:P");
      var reused = fedometer.startWithStore("run").await(TIMEOUT);
      assertThat(reused.expect(ExitCode.COULD_NOT_START).err())
          .contains("accepts only TLS connections", "--collector HOST:" + port, "--tls-ca");

      var removed =
          fedometer
              .startWithStore("runs", "rm", "night", "--token-file", tokenFile.toString())
              .await(TIMEOUT);
      assertThat(removed.expect(ExitCode.DONE).out()).contains("deleted night");
    } finally {
      collector.process().destroy();
      collector.await(TIMEOUT);
    }
    assertThat(collector.err())
        .contains("TLS connections use the certificate in " + certificate)
        .contains("this collector accepts only TLS connections")
        .doesNotContain("in the clear", TOKEN);
  }

  @Test
  void rejectsAKeyThatDoesNotMatch() throws Exception {
    var call =
        fedometer
            .startWithStore(
                "collect",
                "--tls-certificate",
                certificate.toString(),
                "--tls-key",
                certificate.toString())
            .await(TIMEOUT);
    assertThat(call.expect(ExitCode.COULD_NOT_START).err())
        .isEqualTo(
            "fedometer: "
                + certificate
                + " holds no private key: give a PEM file, which has a line"
                + " -----BEGIN PRIVATE KEY-----\n");
  }

  @Test
  void remoteListenerNeedsTlsAndTokenOrInsecure() throws Exception {
    Fedometer.Call refused =
        fedometer
            .startWithStore(
                "collect", "--listen", "0.0.0.0:0", "--token-file", tokenFile.toString())
            .await(TIMEOUT);
    assertThat(refused.expect(ExitCode.BAD_USAGE).err())
        .startsWith("fedometer: --listen 0.0.0.0:0 would listen on more than loopback")
        .contains("--tls-certificate", "--tls-key", "or give --insecure")
        .hasLineCount(1);

    Fedometer.Call withLogFile =
        fedometer
            .startWithStore(
                "collect",
                "--listen",
                "0.0.0.0:0",
                "--log-file",
                folder.resolve("collector.log").toString())
            .await(TIMEOUT);
    assertThat(withLogFile.expect(ExitCode.BAD_USAGE).err())
        .startsWith("fedometer: --listen 0.0.0.0:0 would listen on more than loopback");

    Fedometer.Call collector =
        fedometer.startWithStore("collect", "--listen", "0.0.0.0:0", "--insecure");
    try {
      portOf(collector);
      await().atMost(TIMEOUT).until(() -> collector.err().contains("travel in the clear"));
    } finally {
      collector.process().destroy();
      collector.await(TIMEOUT);
    }
    assertThat(collector.err().lines().filter(line -> line.contains("in the clear"))).hasSize(1);
  }

  private static int portOf(Fedometer.Call collector) {
    return URI.create("//" + collector.address()).getPort();
  }

  private Fedometer.Call from(String host, int port, String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + 4);
    all[arguments.length] = "--from";
    all[arguments.length + 1] = host + ":" + port;
    all[arguments.length + 2] = "--token-file";
    all[arguments.length + 3] = tokenFile.toString();
    return fedometer.start(all).await(TIMEOUT);
  }

  private void send(int port) throws Exception {
    try (CollectorClient client =
        CollectorClient.open(
            ClientOptions.builder("localhost", port)
                .tokenOrNull(TOKEN)
                .tls(TlsTrust.ofPemFile(certificate))
                .runName("night")
                .build())) {
      client.offer(FrameType.STAGES, new Dictionary().put(0, "ingest").encode());
      client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      assertThat(client.awaitAcknowledged(TIMEOUT.toMillis())).isTrue();
    }
  }
}
