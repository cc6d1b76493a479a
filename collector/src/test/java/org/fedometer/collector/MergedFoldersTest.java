package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.Table;
import org.fedometer.store.Ulid;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shards of a run send to collectors of their own, and the run's folders are copied into one
 * afterwards: everything is there once.
 */
@Timeout(120)
class MergedFoldersTest {
  private static final String RUN = "sharded";
  private static final String RUN_ID = Ulid.next();
  private static final int SAMPLES = 4_000;
  private static final String SUMS =
      "SELECT (SELECT count(*) || '/' || count(DISTINCT source || '/' || trace) FROM samples),"
          + " (SELECT count(*) || '/' || count(DISTINCT source || '/' || object_index) FROM"
          + " requests), (SELECT count(*) || '/' || count(DISTINCT source || '/' || trace) FROM"
          + " traces), (SELECT sum(count)::BIGINT FROM totals), (SELECT count(*) FROM sources),"
          + " (SELECT sum(frames_missing)::BIGINT FROM sources), (SELECT sum(count)::BIGINT FROM"
          + " rollups WHERE stage <> 'driver.request')";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void foldersOfTwoStoresCopiedIntoOneHoldEverythingOnce(boolean firstIsKilled) throws Exception {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    int port = firstIsKilled ? freePort() : 0;
    CollectorProcess killed =
        firstIsKilled ? CollectorProcess.start(first, port, 40_000, Duration.ofMinutes(1)) : null;
    try (CollectorServer two = start(second)) {
      if (firstIsKilled) {
        shard(new InetSocketAddress("127.0.0.1", port), 0, false);
        killed.kill();
      } else {
        try (CollectorServer one = start(first)) {
          shard(one.address(), 0, true);
        }
      }
      shard(two.address(), 1, true);
    } finally {
      if (killed != null) {
        killed.close();
      }
    }

    for (List<Path> order : List.of(List.of(first, second), List.of(second, first))) {
      Path merged = directory.resolve("merged-" + order.get(0).getFileName());
      for (Path store : order) {
        copyWhatIsNew(folder(store), folder(merged));
      }
      if (!firstIsKilled) {
        assertEverythingIsThereOnce(merged);
      }
      // A third collector seals what is left of the killed one, and goes on with the run.
      try (CollectorServer third = start(merged)) {
        shard(third.address(), 2, true);
      }
      assertThat(RunQueries.rows(merged, RUN, SUMS)).containsExactly(expected(3));
      assertThat(RunQueries.rows(merged, RUN, "SELECT count(*) FROM totals WHERE count = 4000"))
          .containsExactly("3");

      for (Path store : order) {
        copyWhatIsNew(folder(store), folder(merged));
      }
      start(merged).close();
      assertThat(RunQueries.rows(merged, RUN, SUMS))
          .as("copied again")
          .containsExactly(expected(3));
      assertThat(new RunFolder(folder(merged)).document().id()).isEqualTo(RUN_ID);
    }
  }

  private void assertEverythingIsThereOnce(Path merged) throws Exception {
    assertThat(RunQueries.rows(merged, RUN, SUMS)).containsExactly(expected(2));
  }

  @Test
  void aFolderCopiedBeforeAndAfterItsFilesWereMergedDoublesNothing() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    Path there = Files.createDirectory(directory.resolve("there"));
    for (int shard = 0; shard < 10; shard++) {
      try (CollectorServer server = start(there)) {
        shard(server.address(), shard, true);
      }
      if (shard == 5) {
        copyWhatIsNew(folder(there), folder(here));
        try (CollectorServer server = start(here)) {
          shard(server.address(), 99, true);
        }
        assertThat(RunQueries.rows(here, RUN, SUMS)).containsExactly(expected(7));
      }
    }
    String id = StoreIdentity.of(there).id();
    RunFolder sent = RunStore.at(there).run(RUN);
    assertThat(sent.coveredFiles(Table.SAMPLES)).as("merged meanwhile").isNotEmpty();
    copyWhatIsNew(folder(there), folder(here));
    start(here).close();

    assertThat(RunQueries.rows(here, RUN, SUMS)).containsExactly(expected(11));
    assertThat(new RunFolder(folder(here)).coveredFiles(Table.SAMPLES))
        .as("files of the other store, which only it deletes")
        .allMatch(file -> file.getFileName().toString().startsWith(id))
        .isNotEmpty();
  }

  /** The answer to its last frames was lost when the collector was killed. */
  @Test
  void mergedStoreRecognisesFramesThatAreSentAgain() throws Exception {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path merged = directory.resolve("merged");
    UUID source = UUID.randomUUID();
    int port = freePort();
    try (CollectorProcess killed =
        CollectorProcess.start(first, port, 1 << 20, Duration.ofMinutes(1))) {
      InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
      try (RawSource raw = connect(address, source)) {
        raw.frame(FrameType.STAGES.code(), 1, Samples.stages());
        raw.frame(FrameType.SAMPLES.code(), 2, Samples.traces(0, 100));
        raw.frame(FrameType.SAMPLES.code(), 3, Samples.traces(100, 200));
        assertThat(raw.awaitAcknowledgement(3)).isTrue();
      }
      killed.kill();
    }
    copyWhatIsNew(folder(first), folder(merged));

    for (int restart = 0; restart < 2; restart++) {
      try (CollectorServer third = start(merged);
          RawSource raw = RawSource.connect(third.address(), RUN, source)) {
        assertThat(raw.lastDurableSequence()).isEqualTo(3 + restart);
        raw.frame(FrameType.SAMPLES.code(), 3, Samples.traces(100, 200));
        raw.frame(
            FrameType.SAMPLES.code(),
            4 + restart,
            Samples.traces(200 + 100 * restart, 300 + 100 * restart));
        assertThat(raw.awaitAcknowledgement(4 + restart)).isTrue();
      }
    }

    assertThat(
            RunQueries.rows(
                merged, RUN, "SELECT count(*), count(DISTINCT trace), max(stage) FROM samples"))
        .containsExactly("400|400|ingest");
    assertThat(RunQueries.rows(merged, RUN, "SELECT count(*), sum(frames_missing) FROM sources"))
        .containsExactly("1|0");
  }

  @Test
  void framesSentToAnotherCollectorCountAsMissing() throws Exception {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    UUID source = UUID.randomUUID();
    try (CollectorServer one = start(first);
        CollectorServer two = start(second)) {
      try (RawSource raw = RawSource.connect(one.address(), RUN, source)) {
        raw.frame(FrameType.STAGES.code(), 1, Samples.stages());
        sendSamples(raw, 2, 3);
      }
      try (RawSource raw = RawSource.connect(two.address(), RUN, source, 4)) {
        raw.frame(FrameType.STAGES.code(), 1, Samples.stages());
        sendSamples(raw, 4, 6);
      }
      try (RawSource raw = RawSource.connect(one.address(), RUN, source, 7)) {
        assertThat(raw.lastDurableSequence()).isEqualTo(3);
        sendSamples(raw, 7, 7);
      }
      try (RawSource raw = RawSource.connect(two.address(), RUN, source, 8)) {
        assertThat(raw.lastDurableSequence()).isEqualTo(6);
        sendSamples(raw, 8, 8);
      }
    }
    String counts =
        "SELECT (SELECT count(*) FROM samples), sum(frames_missing)::BIGINT FROM sources";
    // Both have the same one of eight frames with names; missing are 4, 5, 6 and 2, 3, 7.
    assertThat(RunQueries.rows(first, RUN, counts)).containsExactly("30|3");
    assertThat(RunQueries.rows(second, RUN, counts)).containsExactly("40|3");

    Path merged = directory.resolve("merged");
    copyWhatIsNew(folder(first), folder(merged));
    copyWhatIsNew(folder(second), folder(merged));
    assertThat(RunQueries.rows(merged, RUN, counts)).containsExactly("70|3");
  }

  private static void sendSamples(RawSource raw, int first, int last) throws Exception {
    for (int i = first; i <= last; i++) {
      raw.frame(FrameType.SAMPLES.code(), i, Samples.traces(i * 10, i * 10 + 10));
    }
    assertThat(raw.awaitAcknowledgement(last)).isTrue();
  }

  private static RawSource connect(InetSocketAddress address, UUID source) throws Exception {
    // The collector's process may still be starting.
    return await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> RawSource.connect(address, RUN, source), connected -> true);
  }

  /** One agent and one driver; all they send is durable when this returns. */
  private static void shard(InetSocketAddress address, int shard, boolean close) throws Exception {
    try (CollectorClient agent = CollectorClient.open(options(address, "agent", shard));
        CollectorClient driver = CollectorClient.open(options(address, "driver", shard))) {
      agent.offer(FrameType.STAGES, Samples.stages());
      agent.offer(FrameType.THREADS, Samples.threads());
      TraceEncoder traces = new TraceEncoder();
      RequestEncoder requests = new RequestEncoder();
      for (int i = 0; i < SAMPLES; i += 100) {
        agent.offer(FrameType.SAMPLES, Samples.traces(i, i + 100));
        traces.add(i, 0, "demo:" + i, "", "", false);
        agent.offer(FrameType.TRACES, traces.finish());
        requests.add(
            i,
            "demo:" + i,
            "",
            0,
            1,
            i * 1_000_000L,
            5_000_000,
            201,
            10,
            "",
            "ingest",
            i * 1_000_000L);
        driver.offer(FrameType.REQUESTS, requests.finish());
      }
      Totals totals =
          new Totals(List.of(new Totals.StageTotal(0, SAMPLES, 0, 7)), 0, 0, 0, 0, 0, true);
      agent.offer(FrameType.TOTALS, totals.encode());
      if (shard == 0) {
        String document = "{\"schema\":1,\"id\":\"" + RUN_ID + "\"}";
        driver.offer(
            FrameType.DOCUMENT,
            new Document("run.json", document.getBytes(StandardCharsets.UTF_8), false).encode());
      }
      assertThat(agent.awaitAcknowledged(50_000)).isTrue();
      assertThat(driver.awaitAcknowledged(50_000)).isTrue();
      if (close) {
        driver.offer(FrameType.CLOSE_RUN, new CloseRun(RUN_ID).encode());
        assertThat(driver.awaitAcknowledged(50_000)).isTrue();
      }
    }
  }

  private static String expected(int shards) {
    int samples = shards * SAMPLES;
    int others = shards * SAMPLES / 100;
    return "%d/%d|%d/%d|%d/%d|%d|%d|0|%d"
        .formatted(samples, samples, others, others, others, others, samples, 2 * shards, samples);
  }

  private static ClientOptions options(InetSocketAddress address, String kind, int shard) {
    return ClientOptions.builder(address.getHostString(), address.getPort())
        .sourceKind(kind)
        .sourceName("shard " + shard)
        .runId(RUN_ID)
        .runName(RUN)
        .build();
  }

  private static CollectorServer start(Path store) throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store)
            .withSegmentLog(SegmentLogOptions.defaults().withSegmentBytes(40_000)));
  }

  private static Path folder(Path store) {
    return store.resolve("runs").resolve(RUN);
  }

  /** Copies new files only, as {@code cp -rn} does. */
  private static void copyWhatIsNew(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path place = to.resolve(from.relativize(file).toString());
            if (!Files.exists(place)) {
              Files.createDirectories(place.getParent());
              Files.copy(file, place);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
