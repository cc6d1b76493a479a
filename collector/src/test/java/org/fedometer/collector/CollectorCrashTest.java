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
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.fedometer.store.RunStore;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.store.Ulid;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.TestDelay;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledged data is in the store exactly once, however the collector crashes. */
@Tag("slow")
@Timeout(120)
class CollectorCrashTest {
  private static final int KILLS = Integer.getInteger("fedometer.crashes", 10);
  private static final long SEED = Long.getLong("fedometer.crashes.seed", System.nanoTime());
  private static final int SAMPLES_PER_FRAME = 500;

  /** Small, so that kills hit sealing too. */
  private static final long SEGMENT_BYTES = 1_000_000;

  private static final Duration SEAL_AGE = Duration.ofMillis(400);
  private static final Duration SEAL_AGE_OF_OTHERS = Duration.ofMinutes(1);
  private static final String RUN_ID = Ulid.next();

  @TempDir Path store;

  /**
   * Four sources send frames with pauses of at least a millisecond, so that sealing keeps up. Three
   * are in one run (samples, requests, a growing document), one is outside any. The collector is
   * killed at random moments while it appends, seals, merges and writes live rollups. A sample's
   * trace is its number within its source. A client counts it as a loss if a collector reports less
   * than the one before. In the end, each sample, request and line must be there once.
   */
  @Test
  @Timeout(900)
  void aCollectorKilledUnderLoadKeepsEverythingAcknowledgedOnce() throws Exception {
    System.out.printf(
        "%d kills; repeat with -Dfedometer.crashes=%d -Dfedometer.crashes.seed=%d%n",
        KILLS, KILLS, SEED);
    Random random = new Random(SEED);
    int port = freePort();
    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    CollectorProcess collector = CollectorProcess.start(store, port, SEGMENT_BYTES, SEAL_AGE);
    try (CollectorClient agent = CollectorClient.open(options(port, "agent"));
        CollectorClient driver = CollectorClient.open(options(port, "driver"));
        CollectorClient shipper = CollectorClient.open(options(port, "agent"));
        CollectorClient monitored = CollectorClient.open(unnamedSource(port))) {
      agent.offer(FrameType.STAGES, Samples.stages());
      monitored.offer(FrameType.STAGES, Samples.stages());
      Future<Long> samples = threads.submit(() -> sendSamples(agent, enough));
      Future<Long> monitoredSamples = threads.submit(() -> sendSamples(monitored, enough));
      Future<Long> requests = threads.submit(() -> sendRequests(driver, enough));
      Future<Long> lines = threads.submit(() -> sendLines(shipper, enough));

      for (int i = 0; i < KILLS; i++) {
        // Each of them: one that backs off could miss the collectors of a minute otherwise.
        for (CollectorClient client : List.of(agent, driver, shipper, monitored)) {
          long before = client.status().acknowledgedSequence();
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> client.status().acknowledgedSequence() > before + 5);
        }
        TestDelay.sleep(Duration.ofMillis(random.nextInt(1_000)));
        collector.kill();
        collector = CollectorProcess.start(store, port, SEGMENT_BYTES, SEAL_AGE);
      }
      enough.set(true);
      for (CollectorClient client : List.of(agent, driver, shipper, monitored)) {
        assertThat(client.awaitAcknowledged(60_000)).as(client.status().toString()).isTrue();
        assertThat(client.status().framesLost()).isZero();
        assertThat(client.status().framesDropped()).isZero();
      }
      assertThat(agent.status().connections()).isGreaterThan(KILLS);
      for (CollectorClient client : List.of(agent, monitored)) {
        client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 10_000);
        assertThat(client.awaitAcknowledged(120_000)).as(client.status().toString()).isTrue();
      }

      assertThat(RunQueries.rows(store, "crash", COUNT_SAMPLES))
          .containsExactly(once(samples.get()));
      assertThat(
              RunQueries.rows(
                  store,
                  "crash",
                  "SELECT count(*), count(DISTINCT object_index), coalesce(max(object_index), -1)"
                      + " FROM requests"))
          .containsExactly(once(requests.get()));
      String watchRun = monitored.awaitWelcome(50_000).runFolder();
      assertThat(RunQueries.rows(store, watchRun, COUNT_SAMPLES))
          .containsExactly(once(monitoredSamples.get()));
      for (String run : List.of("crash", watchRun)) {
        assertThat(
                RunQueries.rows(
                    store, run, "SELECT DISTINCT frames_missing, frames_unreadable FROM sources"))
            .as(run)
            .containsExactly("0|0");
      }
      assertThat(RunQueries.rows(store, "crash", COUNT_ROLLUPS))
          .containsExactly(samples.get() + "|" + requests.get());
      assertThat(
              RunStore.at(store).run("crash").tableFiles(Table.SAMPLES).stream()
                  .map(file -> SegmentName.ofSealed(file).orElseThrow())
                  .filter(name -> name.first() < name.last()))
          .as("files that were merged meanwhile")
          .isNotEmpty();
      assertThat(Files.readAllLines(store.resolve("runs/crash/logs/shipped.log")))
          .isEqualTo(
              LongStream.range(0, lines.get()).mapToObj(number -> "line " + number).toList());
    } finally {
      enough.set(true);
      collector.kill();
      threads.shutdownNow();
    }
  }

  private static final String COUNT_ROLLUPS =
      "SELECT sum(count) FILTER (WHERE stage <> 'driver.request')::BIGINT,"
          + " sum(count) FILTER (WHERE stage = 'driver.request')::BIGINT FROM rollups";

  private static final String COUNT_SAMPLES =
      "SELECT count(*), count(DISTINCT trace), max(trace) FROM samples";

  /** So many rows, as many numbers, and the highest of them. */
  private static String once(long count) {
    return "%1$d|%1$d|%2$d".formatted(count, count - 1);
  }

  @Test
  void aSegmentTornAtAnyByteIsCutAndTheRestIsSentAgain(@TempDir Path copies) throws Exception {
    int port = freePort();
    UUID source = UUID.randomUUID();
    CollectorProcess collector = CollectorProcess.start(store, port, 1 << 20, SEAL_AGE_OF_OTHERS);
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
      int left = (int) emptyBytes + random.nextInt(whole.length - (int) emptyBytes);
      try {
        goesOnBehind(Arrays.copyOf(whole, left), segment.getFileName(), copy, source);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("cut at " + left + " of " + whole.length, e);
      }
    }
  }

  private void goesOnBehind(byte[] left, Path segment, Path copy, UUID source) throws Exception {
    Path torn = copy.resolve("runs/torn/segments").resolve(segment);
    Files.createDirectories(torn.getParent());
    Files.copy(store.resolve("store.json"), copy.resolve("store.json"));
    Files.write(torn, left);
    try (CollectorServer server =
            CollectorServer.start(
                CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), copy));
        RawSource raw = RawSource.connect(server.address(), "torn", source)) {
      assertThat(raw.lastDurableSequence()).isBetween(0L, 19L);
      sendFrames(raw, raw.lastDurableSequence() + 1, 20);
      raw.frame(FrameType.CLOSE_RUN.code(), 21, new CloseRun("").encode());
      assertThat(raw.awaitAcknowledgement(21)).isTrue();
    }
    assertThat(RunQueries.rows(copy, "torn", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("200|200");
  }

  private static void sendFrames(RawSource raw, long first, long last) throws IOException {
    for (long i = first; i <= last; i++) {
      raw.frame(FrameType.SAMPLES.code(), i, Samples.traces(i * 10, i * 10 + 10));
    }
  }

  @Test
  void fullDiskDelaysAcknowledgements() throws Exception {
    boolean canLimit = Files.isExecutable(Path.of("/usr/bin/prlimit"));
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(canLimit).as("prlimit (package util-linux) makes writing fail").isTrue();
    }
    assertThat(canLimit).isTrue();
    int port = freePort();
    try (CollectorProcess collector =
            CollectorProcess.start(store, port, 1 << 20, SEAL_AGE_OF_OTHERS);
        CollectorClient client = CollectorClient.open(options(port, "agent"))) {
      client.offer(FrameType.STAGES, Samples.stages());
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      collector.limitFiles("30000");
      // More than the disk accepts, less than the client may keep.
      for (int i = 0; i < 30; i++) {
        client.send(FrameType.SAMPLES, Samples.traces(i * 500, i * 500 + 500), 10_000);
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> client.status().lastError().contains("cannot write"));
      assertThat(client.awaitAcknowledged(1_500)).isFalse();
      assertThat(client.status().acknowledgedSequence()).isLessThan(30);
      try (CollectorClient other = CollectorClient.open(unnamedSource(port))) {
        other.offer(FrameType.SAMPLES, Samples.traces(0, 10));
        assertThat(other.awaitAcknowledged(50_000)).as(other.status().toString()).isTrue();
        assertThat(other.status().lastError()).isEmpty();
      }
      assertThat(collector.isAlive()).isTrue();

      collector.limitFiles("unlimited");

      client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 10_000);
      assertThat(client.awaitAcknowledged(50_000)).as(client.status().toString()).isTrue();
      assertThat(client.status().lastError()).isEmpty();
    }
    assertThat(
            RunQueries.rows(store, "crash", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("15000|15000");
  }

  /** Sends until it is enough; returns how many. */
  private static long sendSamples(CollectorClient client, AtomicBoolean enough)
      throws IOException, InterruptedException {
    long count = 0;
    while (!enough.get()) {
      client.send(FrameType.SAMPLES, Samples.traces(count, count + SAMPLES_PER_FRAME), 60_000);
      count += SAMPLES_PER_FRAME;
      // Sealing is slower than storing; its backlog would only prolong the test.
      TestDelay.sleep(Duration.ofMillis(1));
    }
    return count;
  }

  private static long sendRequests(CollectorClient client, AtomicBoolean enough)
      throws IOException, InterruptedException {
    long count = 0;
    while (!enough.get()) {
      RequestEncoder requests = new RequestEncoder();
      for (int i = 0; i < 20; i++) {
        requests.add(count, "demo:" + count, "", 0, 1, count, 1, 201, 1, "", "ingest", count);
        count++;
      }
      client.send(FrameType.REQUESTS, requests.finish(), 60_000);
      TestDelay.sleep(Duration.ofMillis(1));
    }
    return count;
  }

  private static long sendLines(CollectorClient client, AtomicBoolean enough)
      throws IOException, InterruptedException {
    long count = 0;
    while (!enough.get()) {
      byte[] line = ("line " + count++ + "\n").getBytes(StandardCharsets.UTF_8);
      client.send(
          FrameType.DOCUMENT, new Document("logs/shipped.log", line, true).encode(), 60_000);
      TestDelay.sleep(Duration.ofMillis(5));
    }
    return count;
  }

  private static ClientOptions unnamedSource(int port) {
    return ClientOptions.builder("127.0.0.1", port).maxQueuedBytes(256 << 10).build();
  }

  private static ClientOptions options(int port, String kind) {
    return ClientOptions.builder("127.0.0.1", port)
        .sourceKind(kind)
        .runId(RUN_ID)
        .runName("crash")
        .maxQueuedBytes(256 << 10)
        .build();
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
