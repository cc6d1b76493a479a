package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.fedometer.collector.receive.CollectorFiles;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.TestDelay;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.tls.TestCertificates;
import org.fedometer.wire.tls.TlsTrust;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent's client, which sends its frames' events and gets no replies. */
@Tag("slow")
@Timeout(180)
class AgentEventsTest {
  private static final int KILLS = 4;
  private static final int SAMPLES_PER_FRAME = 100;

  /** Small, so that kills hit sealing too. */
  private static final long SEGMENT_BYTES = 300_000;

  /**
   * Events older than a second are not resent. Few of those are still in flight, unless a busy host
   * suspends the collector for seconds.
   */
  private static final long UNCONFIRMED_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path store;
  @TempDir Path folder;

  /** When each frame was made. */
  private final List<Long> sentNanos = new ArrayList<>();

  @Test
  void losesOnlyEventsInFlightAndDuplicatesNone() throws Exception {
    int port = freePort();
    Random random = new Random(17);
    AtomicBoolean enough = new AtomicBoolean();
    List<Long> killNanos = new ArrayList<>();
    long sent;
    CollectorProcess collector =
        CollectorProcess.start(store, port, SEGMENT_BYTES, Duration.ofMillis(400));
    try (CollectorClient agent = CollectorClient.open(storedSamples(port).build())) {
      long[] samples = new long[1];
      Thread sender = new Thread(() -> samples[0] = sendSamples(agent, enough), "sender");
      sender.start();
      for (int kill = 0; kill < KILLS; kill++) {
        long enoughFrames = agent.status().acknowledgedSequence() + 50 + random.nextInt(500);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> agent.status().acknowledgedSequence() > enoughFrames);
        killNanos.add(System.nanoTime());
        collector.kill();
        collector = CollectorProcess.start(store, port, SEGMENT_BYTES, Duration.ofMillis(400));
      }
      enough.set(true);
      sender.join();
      sent = samples[0];
      assertThat(agent.awaitAcknowledged(60_000)).as(agent.status().toString()).isTrue();
      assertThat(agent.status().framesDropped()).isZero();
      assertThat(agent.status().connections()).isGreaterThan(KILLS);
    } finally {
      enough.set(true);
      collector.kill();
    }
    // Seals what is left.
    CollectorServer.start(CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store))
        .close();

    assertThat(
            RunQueries.rows(store, "told", "SELECT count(*) - count(DISTINCT trace) FROM samples"))
        .containsExactly("0");
    assertThat(
            RunQueries.rows(
                store, "told", "SELECT DISTINCT frames_missing, frames_unreadable FROM sources"))
        .containsExactly("0|0");
    assertThat(RunQueries.rows(store, "told", "SELECT DISTINCT stage FROM samples ORDER BY stage"))
        .containsExactly("stage 0", "stage 1", "stage 2");
    assertThat(
            RunQueries.rows(
                store, "told", "SELECT sum(count) FROM rollups WHERE stage LIKE 'stage %'"))
        .isEqualTo(RunQueries.rows(store, "told", "SELECT count(*) FROM samples"));
    List<Long> lost = new ArrayList<>(LongStream.range(0, sent).boxed().toList());
    Set<String> here = Set.copyOf(RunQueries.rows(store, "told", "SELECT trace FROM samples"));
    lost.removeIf(trace -> here.contains(Long.toString(trace)));
    System.out.printf("%d samples, %d lost%n", sent, lost.size());
    assertThat(lost)
        .allMatch(
            trace -> {
              long nanos = sentNanos.get((int) (trace / SAMPLES_PER_FRAME));
              return killNanos.stream()
                  .anyMatch(kill -> nanos > kill - UNCONFIRMED_NANOS && nanos < kill);
            });
  }

  @Test
  void acceptsEventsOverTls() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.selfSigned("own", "dns:localhost,ip:127.0.0.1");
    TlsTrust trust =
        TlsTrust.ofPemFile(certificates.certificate("own", folder.resolve("trusted.pem")));
    try (CollectorServer server =
            CollectorServer.start(
                CollectorOptions.foreground(
                    EndpointOptions.at(new InetSocketAddress("127.0.0.1", 0))
                        .withTls(CollectorFiles.of(certificates, "own", folder)),
                    store));
        CollectorClient agent =
            CollectorClient.open(storedSamples(server.address().getPort()).tls(trust).build())) {
      for (int i = 0; i < 20; i++) {
        agent.send(FrameType.SAMPLES, Samples.traces(i * 500L, (i + 1) * 500L), 10_000);
      }
      assertThat(agent.awaitAcknowledged(60_000)).as(agent.status().toString()).isTrue();
    }
    assertThat(
            RunQueries.rows(store, "told", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("10000|10000");
  }

  /** Returns how many; a sample's trace is its number. */
  private long sendSamples(CollectorClient agent, AtomicBoolean enough) {
    long trace = 0;
    SampleEncoder encoder = new SampleEncoder();
    while (!enough.get()) {
      sentNanos.add(System.nanoTime());
      for (int i = 0; i < SAMPLES_PER_FRAME; i++, trace++) {
        encoder.add((int) (trace % 3), 5, trace, System.nanoTime(), 700, 600, false);
      }
      agent.offer(FrameType.SAMPLES, encoder.finish());
      TestDelay.sleep(Duration.ofMillis(10));
    }
    return trace;
  }

  private static ClientOptions.Builder storedSamples(int port) {
    return ClientOptions.builder("127.0.0.1", port)
        .oneWay(new AgentEventProtocol())
        .sourceKind("agent")
        .runName("told");
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
