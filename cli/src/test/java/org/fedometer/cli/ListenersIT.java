package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.tls.TestCertificates;
import org.fedometer.wire.tls.TlsKey;
import org.fedometer.wire.tls.TlsTrust;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collector that requires a client certificate and the token, with its own certificate in a
 * keystore and its log in a file; and its clients, as commands.
 */
@Tag("slow")
class ListenersIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final String TOKEN = "open sesame";

  /** Frames; a client produces more than it can hold while a busy collector has its first ones. */
  private static final int MAX_INITIAL_FRAMES = 50_000;

  @TempDir private static Path folder;
  private static Fedometer fedometer;
  private static Fedometer.Call collector;
  private static Path authority;
  private static Path certificate;
  private static Path key;
  private static Path tokenFile;
  private static Path log;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.authority("authority");
    certificates.signed("collector", "authority", "dns:localhost,ip:127.0.0.1");
    certificates.signed("client", "authority", "dns:client.example.org");
    authority = certificates.certificate("authority", folder.resolve("authority.pem"));
    certificate = certificates.chain("client", folder.resolve("client.pem"));
    key = certificates.key("client", folder.resolve("client.key"));
    tokenFile = Files.writeString(folder.resolve("token"), TOKEN);
    Path keystore = certificates.keystore("collector", folder.resolve("collector.p12"), "secret");
    log = folder.resolve("collector.log");
    fedometer = new Fedometer(folder);
    collector =
        fedometer.startWithStore(
            "collect",
            "--listen",
            "0.0.0.0:0",
            "--token-file",
            tokenFile.toString(),
            "--tls-keystore",
            keystore.toString(),
            "--tls-keystore-password-file",
            Files.writeString(folder.resolve("password"), "secret").toString(),
            "--tls-client-ca",
            authority.toString(),
            "--log-file",
            log.toString());
    port =
        URI.create(
                "//"
                    + await()
                        .atMost(TIMEOUT)
                        .ignoreExceptions()
                        .until(ListenersIT::address, address -> !address.isEmpty()))
            .getPort();
  }

  private static String address() throws Exception {
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("listens on "))
        .map(line -> line.replaceFirst(".*listens on ([^,]+),.*", "$1"))
        .findFirst()
        .orElse("");
  }

  @AfterAll
  static void stop() throws Exception {
    collector.process().destroy();
    assertThat(collector.await(TIMEOUT).process().exitValue()).isEqualTo(143);
    assertThat(collector.err()).isEmpty();
    assertThat(log).content().contains("has ended");
    assertThat(fedometer.processesLeft()).isEmpty();
  }

  @Test
  void clientsNeedACertificate() throws Exception {
    runUnderAnAgent("shown", ",token-file=" + tokenFile);
    assertThat(
            withCertificate("runs", "fetch", "shown", "--store", folder.resolve("copy").toString())
                .expect(ExitCode.DONE)
                .out())
        .contains("shown");
    assertThat(from("runs", "list").expect(ExitCode.COULD_NOT_START).err())
        .startsWith("fedometer: The collector at 127.0.0.1:" + port)
        .contains("requires a client certificate", "--tls-certificate", "--tls-key")
        .hasLineCount(1);

    // On the collector's own machine, whose keystore only the collector can read.
    assertThat(
            fedometer
                .startWithStore("runs", "rm", "shown", "--token-file", tokenFile.toString())
                .await(TIMEOUT)
                .expect(ExitCode.DONE_WITH_ERRORS)
                .err())
        .contains("requires a client certificate");
    assertThat(
            fedometer
                .startWithStore(
                    "runs",
                    "rm",
                    "shown",
                    "--token-file",
                    tokenFile.toString(),
                    "--tls-certificate",
                    certificate.toString(),
                    "--tls-key",
                    key.toString())
                .await(TIMEOUT)
                .expect(ExitCode.DONE)
                .out())
        .contains("deleted shown");
  }

  /** It has no token: the certificate suffices. */
  @Test
  void log4j2AgentShowsItsCertificate() throws Exception {
    runUnderAnAgent("told", ",transport=log4j2");

    assertThat(
            withCertificate(
                    "runs",
                    "query",
                    "SELECT attributes->>'transport' AS t, finished FROM sources",
                    "--run",
                    "told",
                    "--format",
                    "csv")
                .expect(ExitCode.DONE)
                .out())
        .contains("log4j2,true");
  }

  /** Until the collector has a run of that name. */
  private static void runUnderAnAgent(String run, String options) throws Exception {
    Path err = folder.resolve(run + "-agent.err");
    Process fedora =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-javaagent:target/fedometer/agent/fedometer-agent.jar=collector=127.0.0.1:"
                    + port
                    + ",run-name="
                    + run
                    + ",tls-ca="
                    + authority
                    + ",tls-certificate="
                    + certificate
                    + ",tls-key="
                    + key
                    + options,
                "-cp",
                "target/test-classes",
                IdleProgram.class.getName())
            .redirectError(err.toFile())
            .start();
    try {
      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> withCertificate("runs", "list").out().contains(run));
    } finally {
      fedora.getOutputStream().close();
      assertThat(fedora.waitFor()).as("the agent: %s", err).isZero();
    }
  }

  @Test
  void escapesSourceNamesInLogAndTables() throws Exception {
    String name = "agent \u001b[2J\r\n2026-11-22 00:00:00.000 INFO forged\u202e\u009b31m";
    try (CollectorClient client =
        CollectorClient.open(
            ClientOptions.builder("127.0.0.1", port)
                .tokenOrNull(TOKEN)
                .tls(TlsTrust.ofPemFile(authority).withKey(TlsKey.ofPemFiles(certificate, key)))
                .runName("named")
                .sourceName(name)
                .build())) {
      client.offer(FrameType.STAGES, new Dictionary().put(0, "stage " + name).encode());
      client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      assertThat(client.awaitAcknowledged(TIMEOUT.toMillis())).isTrue();
    }
    assertThat(log)
        .content()
        .contains("agent \\u001b[2J\\r\\n2026-11-22 00:00:00.000 INFO forged\\u202e\\u009b31m");
    assertThat(Files.readString(log).chars().filter(c -> c != '\n'))
        .noneMatch(Character::isISOControl);

    String table =
        await()
            .atMost(TIMEOUT)
            .pollInterval(Duration.ofSeconds(1))
            .until(
                () ->
                    withCertificate(
                            "runs", "query", "SELECT DISTINCT name FROM sources", "--run", "named")
                        .out(),
                out -> out.contains("agent"));
    assertThat(table).contains("agent \\u001b[2J\\r\\n");
    assertThat(table.chars().filter(c -> c != '\n')).noneMatch(Character::isISOControl);
  }

  @Test
  void aCollectorThatIsEndedUnderLoadLosesNothingThatItAcknowledged() throws Exception {
    Path store = folder.resolve("ended");
    Fedometer.Call first =
        fedometer.start("collect", "--listen", "127.0.0.1:0", "--store", store.toString());
    String address = first.address();
    int frames = 0;
    try (CollectorClient client =
        CollectorClient.open(
            ClientOptions.builder("127.0.0.1", URI.create("//" + address).getPort())
                .runName("load")
                .maxQueuedBytes(64 << 20)
                .build())) {
      client.send(FrameType.STAGES, new Dictionary().put(0, "ingest").encode(), 10_000);
      while (frames < MAX_INITIAL_FRAMES && client.status().acknowledgedSequence() < 200) {
        client.send(FrameType.SAMPLES, sample(frames++), 10_000);
      }
      await()
          .atMost(TIMEOUT)
          .pollDelay(Duration.ZERO)
          .until(() -> client.status().acknowledgedSequence() >= 200);
      first.process().destroy();
      // At most what the client can hold.
      for (int more = 0; more < 20_000 && first.process().isAlive(); more++) {
        assertThat(client.offer(FrameType.SAMPLES, sample(frames++))).isTrue();
      }
      assertThat(first.await(TIMEOUT).process().exitValue()).isEqualTo(143);

      Fedometer.Call second =
          fedometer.start("collect", "--listen", address, "--store", store.toString());
      second.address();
      try {
        client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), TIMEOUT.toMillis());
        assertThat(client.awaitAcknowledged(TIMEOUT.toMillis())).isTrue();
        assertThat(client.status().framesLost()).isZero();
        assertThat(client.status().framesDropped()).isZero();
        String counted =
            fedometer
                .start(
                    "runs",
                    "query",
                    "SELECT count(*) AS n, count(DISTINCT trace) AS traces FROM samples",
                    "--store",
                    store.toString(),
                    "--format",
                    "csv")
                .await(TIMEOUT)
                .expect(ExitCode.DONE)
                .out();
        assertThat(counted).isEqualTo("n,traces\n" + frames + "," + frames + "\n");
      } finally {
        second.process().destroy();
        second.await(TIMEOUT);
      }
    }
  }

  private static byte[] sample(int trace) {
    SampleEncoder encoder = new SampleEncoder();
    encoder.add(0, 5, trace, 1_000L * trace, 700, 600, false);
    return encoder.finish();
  }

  private static Fedometer.Call withCertificate(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--tls-certificate", certificate.toString(), "--tls-key", key.toString()));
    return from(all.toArray(String[]::new));
  }

  private static Fedometer.Call from(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "--from",
            "127.0.0.1:" + port,
            "--token-file",
            tokenFile.toString(),
            "--tls-ca",
            authority.toString()));
    return fedometer.start(all.toArray(String[]::new)).await(TIMEOUT);
  }

  /** A JVM with an agent, until its input ends. */
  static final class IdleProgram {
    private IdleProgram() {}

    public static void main(String[] arguments) throws Exception {
      while (System.in.read() >= 0) {
        // Standard input stays silent.
      }
    }
  }
}
