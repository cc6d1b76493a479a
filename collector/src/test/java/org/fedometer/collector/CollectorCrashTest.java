package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.fedometer.wire.ClientOptions;
import org.fedometer.wire.CloseRun;
import org.fedometer.wire.CollectorClient;
import org.fedometer.wire.Document;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is acknowledged is in the store exactly once, whatever happens to the collector. */
@Timeout(120)
class CollectorCrashTest {
  private static final int KILLS = Integer.getInteger("fedometer.test.kills", 5);

  /** Small, so that kills hit sealing too. */
  private static final long SEGMENT_BYTES = 300_000;

  private static final String RUN_ID = Ulid.next();

  @TempDir Path store;

  @Test
  void aCollectorKilledUnderLoadKeepsEverySampleOnce() throws Exception {
    int port = freePort();
    Random random = new Random();
    AtomicLong lines = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    try (CollectorClient agent = CollectorClient.open(options(port, "agent"));
        CollectorClient driver = CollectorClient.open(options(port, "driver"))) {
      agent.offer(FrameType.STAGES, Samples.stages());
      agent.offer(FrameType.THREADS, Samples.threads());
      driver.offer(FrameType.STAGES, Samples.stages());
      CompletableFuture<Long> agentTraces =
          CompletableFuture.supplyAsync(() -> load(agent, 0, enough, new AtomicLong()));
      CompletableFuture<Long> driverTraces =
          CompletableFuture.supplyAsync(() -> load(driver, 1L << 40, enough, lines));

      CollectorProcess collector = CollectorProcess.start(store, port, SEGMENT_BYTES);
      try {
        for (int i = 0; i < KILLS; i++) {
          long before = agent.status().framesAcknowledged();
          await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> agent.status().framesAcknowledged() > before + 50);
          TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
          collector.kill();
          collector = CollectorProcess.start(store, port, SEGMENT_BYTES);
        }
        enough.set(true);
        long expectedAgent = agentTraces.get(30, TimeUnit.SECONDS);
        long expectedDriver = driverTraces.get(30, TimeUnit.SECONDS);
        assertThat(driver.awaitAcknowledged(30_000)).as(driver.status().toString()).isTrue();
        agent.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 10_000);
        assertThat(agent.awaitAcknowledged(60_000)).as(agent.status().toString()).isTrue();

        assertThat(agent.status().framesLost() + driver.status().framesLost()).isZero();
        assertThat(agent.status().connections()).isGreaterThan(KILLS);
        assertThat(
                Asked.rows(
                    store,
                    "crash",
                    "SELECT count(*), count(DISTINCT trace), count(DISTINCT stage) FROM samples"
                        + " GROUP BY source ORDER BY min(trace)"))
            .containsExactly(
                "%1$d|%1$d|2".formatted(expectedAgent), "%1$d|%1$d|2".formatted(expectedDriver));
        assertThat(Files.readAllLines(store.resolve("runs/crash/logs/driver.log")))
            .hasSize(lines.intValue())
            .doesNotHaveDuplicates();
      } finally {
        collector.kill();
      }
    }
  }

  @Test
  void aSegmentTornAtAnyByteIsCutAndTheRestIsSentAgain(@TempDir Path copies) throws Exception {
    int port = freePort();
    UUID source = UUID.randomUUID();
    CollectorProcess collector = CollectorProcess.start(store, port, 1 << 20);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Files.exists(store.resolve("collector.json")));
    long emptyBytes;
    Path segment;
    try (RawSource raw =
        RawSource.connect(new InetSocketAddress("127.0.0.1", port), "torn", source)) {
      segment = RunStore.at(store).folderOf("torn").segmentFiles().get(0);
      emptyBytes = Files.size(segment);
      sendFrames(raw, 1, 20);
      assertThat(raw.awaitAcknowledgement(20)).isTrue();
    } finally {
      collector.kill();
    }

    Random random = new Random();
    byte[] whole = Files.readAllBytes(segment);
    for (int i = 0; i < 8; i++) {
      Path copy = copies.resolve("store" + i);
      Path torn = copy.resolve("runs/torn/segments").resolve(segment.getFileName());
      Files.createDirectories(torn.getParent());
      Files.copy(store.resolve("store.json"), copy.resolve("store.json"));
      int left = (int) emptyBytes + random.nextInt(whole.length - (int) emptyBytes);
      Files.write(torn, Arrays.copyOf(whole, left));
      try (CollectorServer server =
              CollectorServer.start(
                  CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), copy));
          RawSource raw = RawSource.connect(server.address(), "torn", source)) {
        assertThat(raw.lastDurableSequence()).isBetween(0L, 19L);
        sendFrames(raw, raw.lastDurableSequence() + 1, 20);
        raw.frame(FrameType.CLOSE_RUN.code(), 21, new CloseRun("").encode());
        assertThat(raw.awaitAcknowledgement(21)).isTrue();
      }
      assertThat(Asked.rows(copy, "torn", "SELECT count(*), count(DISTINCT trace) FROM samples"))
          .as("cut at %d", left)
          .containsExactly("200|200");
    }
  }

  private static void sendFrames(RawSource raw, long first, long last) throws IOException {
    for (long i = first; i <= last; i++) {
      raw.frame(FrameType.SAMPLES.code(), i, Samples.traces(i * 10, i * 10 + 10));
    }
  }

  @Test
  void aDiskThatIsFullHoldsUpAcknowledgementsUntilThereIsRoom() throws Exception {
    boolean canLimit = Files.isExecutable(Path.of("/usr/bin/prlimit"));
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(canLimit).as("prlimit (package util-linux) makes writing fail").isTrue();
    }
    assertThat(canLimit).isTrue();
    int port = freePort();
    try (CollectorProcess collector =
            CollectorProcess.start(
                store, port, 1 << 20, "/usr/bin/prlimit", "--fsize=30000:unlimited");
        CollectorClient client = CollectorClient.open(options(port, "agent"))) {
      client.offer(FrameType.STAGES, Samples.stages());
      assertThat(client.awaitAcknowledged(20_000)).isTrue();
      for (int i = 0; i < 40; i++) {
        client.offer(FrameType.SAMPLES, Samples.traces(i * 500, i * 500 + 500));
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> client.status().lastError().contains("cannot write"));
      assertThat(client.awaitAcknowledged(1_500)).isFalse();
      assertThat(client.status().framesAcknowledged()).isLessThan(40);
      assertThat(collector.isAlive()).isTrue();

      Process lift =
          new ProcessBuilder(
                  "/usr/bin/prlimit", "--pid", "" + collector.pid(), "--fsize=unlimited:unlimited")
              .inheritIO()
              .start();
      assertThat(lift.waitFor()).isZero();

      client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 10_000);
      assertThat(client.awaitAcknowledged(30_000)).as(client.status().toString()).isTrue();
      assertThat(client.status().lastError()).isEmpty();
    }
    assertThat(Asked.rows(store, "crash", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("20000|20000");
  }

  /** Sends until it is enough; returns how many samples that were. */
  private static long load(
      CollectorClient client, long firstTrace, AtomicBoolean enough, AtomicLong lines) {
    long count = 0;
    try {
      while (!enough.get()) {
        client.send(
            FrameType.SAMPLES,
            Samples.traces(firstTrace + count, firstTrace + count + 200),
            60_000);
        count += 200;
        if (firstTrace > 0 && count % 2_000 == 0) {
          byte[] line = ("line " + lines.incrementAndGet() + "\n").getBytes(StandardCharsets.UTF_8);
          client.send(
              FrameType.DOCUMENT, new Document("logs/driver.log", line, true).encode(), 60_000);
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return count;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ClientOptions options(int port, String kind) {
    return ClientOptions.builder("127.0.0.1", port)
        .sourceKind(kind)
        .runId(RUN_ID)
        .runName("crash")
        .maxQueuedBytes(2 << 20)
        .build();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
