package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.SegmentName;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.Table;
import org.fedometer.store.Ulid;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class CollectorServerTest {
  private static final String RUN_ID = Ulid.next();

  @TempDir Path store;
  private CollectorServer server;

  @BeforeEach
  void start() throws Exception {
    server = startAt(0, SegmentLogOptions.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aStoreWhosePortCanBeNeitherReadNorKeptHasACollectorAllTheSame() throws Exception {
    server.close();
    Path port = store.resolve("collector.port");
    Files.delete(port);
    Files.createDirectories(port.resolve("in the way"));

    server = startAt(0, SegmentLogOptions.defaults());

    assertThat(server.address().getPort()).isPositive();
    assertThat(port).isDirectory();
  }

  @Test
  void storesFramesOnceTheRunIsClosed() throws Exception {
    try (CollectorClient client =
        CollectorClient.open(run("first").sourceName("fedora").attribute("bootId", "b1").build())) {
      assertThat(client.awaitWelcome(50_000).runFolder()).isEqualTo("first");
      assertThat(client.awaitWelcome(50_000).runId()).isEqualTo(RUN_ID);
      assertThat(client.awaitWelcome(50_000).storeDirectory())
          .isEqualTo(store.toRealPath().toString());
      client.offer(FrameType.STAGES, Samples.stages());
      client.offer(FrameType.THREADS, Samples.threads());
      client.offer(FrameType.SAMPLES, Samples.traces(0, 1000));
      TraceEncoder traces = new TraceEncoder();
      traces.add(7, 0, "demo:7", "00-ab-cd-01", "ingest", true);
      client.offer(FrameType.TRACES, traces.finish());
      RequestEncoder requests = new RequestEncoder();
      requests.add(7, "demo:7", "00-ab-cd-01", 2, 1, 5, 6, 500, 1234, "it's taken", "ingest", 5);
      client.offer(FrameType.REQUESTS, requests.finish());
      requests.add(8, "demo:8", "", 3, 1, 20, 6, 204, 0, "", "defragment", 15);
      client.offer(FrameType.REQUESTS, requests.finish());
      for (int second = 1; second <= 3; second++) {
        client.offer(FrameType.TOTALS, totals(second * 10, second == 3).encode());
      }
      closeRun(client);
    }

    assertThat(
            RunQueries.rows(
                store,
                "first",
                "SELECT stage, thread, count(*), count(DISTINCT trace), min(start_nanos),"
                    + " sum(self_nanos) FROM samples GROUP BY ALL ORDER BY stage"))
        .containsExactly(
            "http.request|http-5|500|500|0|300000000", "ingest|http-5|500|500|1000000|300000000");
    assertThat(RunQueries.rows(store, "first", "SELECT * EXCLUDE (source) FROM traces"))
        .containsExactly("7|http.request|demo:7|00-ab-cd-01|true|ingest");
    assertThat(RunQueries.rows(store, "first", "SELECT * EXCLUDE (source) FROM requests"))
        .containsExactly(
            "7|demo:7|00-ab-cd-01|2|1|5|6|500|1234|it's taken|ingest|5",
            "8|demo:8||3|1|20|6|204|0||defragment|15");
    assertThat(RunQueries.rows(store, "first", "SELECT * EXCLUDE (source, sequence) FROM totals"))
        .containsExactly("ingest|30|1|3000|4|0|true|0|0|0");
    assertThat(
            RunQueries.rows(
                store,
                "first",
                "SELECT kind, name, attributes->>'bootId', frames_missing, samples_dropped,"
                    + " finished FROM sources"))
        .containsExactly("agent|fedora|b1|0|4|true");
  }

  @Test
  void documentsAreFilesOfTheRunsFolder() throws Exception {
    try (CollectorClient client = CollectorClient.open(run("docs").build())) {
      client.offer(FrameType.DOCUMENT, document("logs/fedora.log", "one ", false));
      client.offer(FrameType.DOCUMENT, document("logs/fedora.log", "two ", true));
      client.offer(FrameType.DOCUMENT, document("logs/fedora.log", "three", true));
      client.offer(FrameType.DOCUMENT, document("run.json", "{\"schema\":1}", false));
      client.offer(FrameType.DOCUMENT, document("run.json", "{\"schema\":2}", false));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }

    RunFolder folder = RunStore.at(store).run("docs");
    assertThat(folder.path().resolve("logs/fedora.log")).hasContent("one two three");
    assertThat(folder.document().schema()).isEqualTo(2);
  }

  @Test
  void namedRunIsAMonitoringRunUntilADriverDescribesIt() throws Exception {
    long before = System.currentTimeMillis();
    try (CollectorClient agent = CollectorClient.open(unnamedSource().runName("night").build())) {
      String id = agent.awaitWelcome(50_000).runId();

      RunDocument document = RunStore.at(store).run("night").document();
      assertThat(document.id()).isEqualTo(id);
      assertThat(document.name()).isEqualTo("night");
      assertThat(document.state()).isEqualTo("monitoring");
      assertThat(Instant.parse(document.started()).toEpochMilli())
          .isBetween(before, System.currentTimeMillis());
      try (CollectorClient driver =
          CollectorClient.open(unnamedSource().runName("night").build())) {
        driver.offer(
            FrameType.DOCUMENT,
            document("run.json", "{\"schema\":1,\"state\":\"running\"}", false));
        assertThat(driver.awaitAcknowledged(50_000)).isTrue();
      }
    }
    try (CollectorClient again = CollectorClient.open(unnamedSource().runName("night").build())) {
      again.awaitWelcome(50_000);
      assertThat(RunStore.at(store).run("night").document().state()).isEqualTo("running");
    }
  }

  @Test
  void aRunWithTheUlidOfItsDriverIsLeftForTheDriverToDescribe() throws Exception {
    try (CollectorClient agent = CollectorClient.open(run("conducted").build())) {
      agent.awaitWelcome(50_000);

      assertThat(RunStore.at(store).run("conducted").hasDocument()).isFalse();
    }
  }

  @Test
  void documentsAmongTheCollectorsFilesAreNotStoredAndOutsideTheRunRefused() throws Exception {
    for (String path :
        List.of(
            "segments/000001.segment", "tables/samples/x.parquet", "Tables", "KEEP", "Keep/x")) {
      try (CollectorClient client = CollectorClient.open(run("docs").build())) {
        client.offer(FrameType.DOCUMENT, document(path, "x", false));
        assertThat(client.awaitAcknowledged(50_000)).as(path).isTrue();
        assertThat(client.status().lastError()).contains(path, "is not stored");
        assertThat(store.resolve("runs/docs").resolve(path)).doesNotExist();
      }
    }
    try (CollectorClient client = CollectorClient.open(run("docs").build())) {
      client.offer(FrameType.DOCUMENT, forgedDocument("../../escaped.txt"));
      assertThat(client.awaitAcknowledged(10_000)).isFalse();
      assertThat(client.status().lastError()).contains("../../escaped.txt");
    }
    Path outside = Files.createDirectory(store.resolve("outside"));
    Files.createSymbolicLink(store.resolve("runs/docs/link"), outside);
    try (CollectorClient client = CollectorClient.open(run("docs").build())) {
      client.offer(FrameType.DOCUMENT, document("link/x", "x", false));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.status().lastError()).contains("link/x", "is not stored");
    }
    assertThat(outside).isEmptyDirectory();
    assertThat(store.resolve("escaped.txt")).doesNotExist();
  }

  @Test
  void skipsADocumentWhosePathIsBlocked() throws Exception {
    try (CollectorClient first = CollectorClient.open(run("docs").build())) {
      first.offer(FrameType.DOCUMENT, document("logs", "a file", false));
      first.offer(FrameType.DOCUMENT, document("a/b", "x", false));
      assertThat(first.awaitAcknowledged(50_000)).isTrue();
      assertThat(first.status().lastError()).isEmpty();
    }
    try (CollectorClient second = CollectorClient.open(run("docs").build())) {
      second.offer(FrameType.DOCUMENT, document("logs/b.log", "x", true));
      second.offer(FrameType.DOCUMENT, document("a", "x", false));
      second.offer(FrameType.STAGES, Samples.stages());
      second.offer(FrameType.THREADS, Samples.threads());
      second.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(second.awaitAcknowledged(50_000)).isTrue();
      assertThat(second.status().lastError()).contains("The document a is not stored");
    }
    restart();
    assertThat(store.resolve("runs/docs/logs")).hasContent("a file");
    assertThat(store.resolve("runs/docs/a/b")).hasContent("x");
    assertThat(RunQueries.rows(store, "docs", "SELECT count(*) FROM samples"))
        .containsExactly("10");
  }

  @Test
  void aRunsNameBelongsToOneRun() throws Exception {
    try (CollectorClient owner = CollectorClient.open(run("mine").build())) {
      owner.awaitWelcome(50_000);
      try (CollectorClient other = CollectorClient.open(run("mine").runId(Ulid.next()).build())) {
        assertThatThrownBy(() -> other.awaitWelcome(10_000))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("\"mine\"")
            .hasMessageContaining(RUN_ID);
      }
    }
    restart();
    try (CollectorClient other = CollectorClient.open(run("mine").runId(Ulid.next()).build())) {
      assertThatThrownBy(() -> other.awaitWelcome(10_000)).hasMessageContaining(RUN_ID);
    }
  }

  @Test
  void refusesInvalidRunsWithAReason() throws Exception {
    for (String name : List.of("../up", "a/b", ".hidden", "x".repeat(101))) {
      try (CollectorClient client = CollectorClient.open(run(name).build())) {
        assertThatThrownBy(() -> client.awaitWelcome(10_000)).hasMessageContaining(name);
      }
    }
    try (CollectorClient client = CollectorClient.open(run("x").runId("17").build())) {
      assertThatThrownBy(() -> client.awaitWelcome(10_000)).hasMessageContaining("ULID");
    }
  }

  @Test
  void aSourceFindsItsPlaceAgainAfterTheCollectorRestarted() throws Exception {
    try (CollectorClient client = CollectorClient.open(run("long").build())) {
      client.offer(FrameType.STAGES, Samples.stages());
      client.offer(FrameType.THREADS, Samples.threads());
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      for (int i = 1; i <= 3; i++) {
        restart();
        client.offer(FrameType.SAMPLES, Samples.traces(i * 10, i * 10 + 10));
        assertThat(client.awaitAcknowledged(50_000)).as(client.status().toString()).isTrue();
      }
      closeRun(client);
      assertThat(client.status().framesLost()).isZero();
    }
    assertThat(
            RunQueries.rows(
                store,
                "long",
                "SELECT count(*), count(DISTINCT trace), min(stage), max(stage), min(thread)"
                    + " FROM samples"))
        .containsExactly("40|40|http.request|ingest|http-5");
  }

  @Test
  void aStoreThatWasLostLeavesACountedGap() throws Exception {
    try (CollectorClient client = CollectorClient.open(run("gap").build())) {
      client.offer(FrameType.STAGES, Samples.stages());
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      client.offer(FrameType.SAMPLES, Samples.traces(10, 20));
      await().until(() -> client.status().clockOrNull() != null);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      int port = server.address().getPort();
      server.close();
      deleteTree(store.resolve("runs"));
      server = startAt(port, SegmentLogOptions.defaults());
      client.offer(FrameType.SAMPLES, Samples.traces(20, 30));
      closeRun(client);
      // Samples twice, and what the client had found out about the clocks.
      assertThat(client.status().framesLost()).isEqualTo(3);
    }
    assertThat(
            RunQueries.rows(store, "gap", "SELECT min(trace), count(*), min(stage) FROM samples"))
        .containsExactly("20|10|http.request");
    assertThat(RunQueries.rows(store, "gap", "SELECT frames_missing FROM sources"))
        .containsExactly("3");
  }

  @Test
  void sourceWithoutARunGetsAMonitoringRun() throws Exception {
    UUID source = UUID.randomUUID();
    String name;
    try (CollectorClient client = CollectorClient.open(unnamedSource().source(source).build())) {
      name = client.awaitWelcome(50_000).runFolder();
      client.offer(FrameType.STAGES, Samples.stages());
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      restart();
      client.offer(FrameType.TOTALS, totals(10, true).encode());
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.awaitWelcome(50_000).runFolder()).isEqualTo(name);
    }

    assertThat(name)
        .matches("monitoring-\\d{4}-\\d{2}-\\d{2}-" + source.toString().substring(0, 8));
    await().until(() -> !RunQueries.rows(store, name, "FROM totals").isEmpty());
    assertThat(RunQueries.rows(store, name, "SELECT count(*) FROM samples")).containsExactly("10");
    assertThat(RunStore.at(store).run(name).document().state()).isEqualTo("monitoring");
  }

  @Test
  void twoSourcesOfARunAtOnceKeepTheirOwnNumbersAndNames() throws Exception {
    try (CollectorClient agent = CollectorClient.open(run("two").build());
        CollectorClient driver = CollectorClient.open(run("two").sourceKind("driver").build())) {
      agent.awaitWelcome(50_000);
      driver.awaitWelcome(50_000);
      agent.offer(FrameType.STAGES, Samples.stages());
      for (int i = 0; i < 50; i++) {
        agent.offer(FrameType.SAMPLES, Samples.traces(i * 10, i * 10 + 10));
        RequestEncoder requests = new RequestEncoder();
        requests.add(i, "demo:" + i, "", 0, 1, i, 1, 201, 1, "", "ingest", i);
        driver.offer(FrameType.REQUESTS, requests.finish());
      }
      assertThat(agent.awaitAcknowledged(50_000)).isTrue();
      closeRun(driver);
    }
    assertThat(
            RunQueries.rows(
                store,
                "two",
                "SELECT (SELECT count(DISTINCT trace) FROM samples),"
                    + " (SELECT count(DISTINCT object_index) FROM requests),"
                    + " (SELECT count(*) FROM sources)"))
        .containsExactly("500|50|2");
  }

  @Test
  void closedRunAcceptsFurtherFrames() throws Exception {
    try (CollectorClient client = CollectorClient.open(run("again").build())) {
      client.offer(FrameType.STAGES, Samples.stages());
      for (int i = 0; i < 3; i++) {
        client.offer(FrameType.SAMPLES, Samples.traces(i * 10, i * 10 + 10));
        client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      }
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(RunQueries.rows(store, "again", "SELECT count(*), min(stage) FROM samples"))
          .containsExactly("30|http.request");
      client.offer(FrameType.CLOSE_RUN, new CloseRun(Ulid.next()).encode());
      assertThat(client.awaitAcknowledged(10_000)).isFalse();
      assertThat(client.status().lastError()).contains("cannot close");
    }
  }

  @Test
  void aFullSegmentIsSealedWhileTheNextOneFills() throws Exception {
    restart(SegmentLogOptions.defaults().withSegmentBytes(20_000));
    try (CollectorClient client = CollectorClient.open(run("big").build())) {
      client.offer(FrameType.STAGES, Samples.stages());
      client.offer(FrameType.THREADS, Samples.threads());
      for (int i = 0; i < 200; i++) {
        client.send(FrameType.SAMPLES, Samples.traces(i * 100, i * 100 + 100), 10_000);
        if (i % 20 == 0) {
          assertThat(client.awaitAcknowledged(50_000)).isTrue();
        }
      }
      closeRun(client);
    }
    assertThat(RunStore.at(store).run("big").tableFiles(Table.SAMPLES)).hasSizeGreaterThan(2);
    assertThat(
            RunQueries.rows(
                store,
                "big",
                "SELECT count(*), count(DISTINCT trace), count(DISTINCT stage),"
                    + " count(DISTINCT thread) FROM samples"))
        .containsExactly("20000|20000|2|1");
    assertThat(RunStore.at(store).run("big").segmentFiles()).hasSize(1);
  }

  @Test
  void aSmallQueueMakesSourcesWaitAndLosesNothing() throws Exception {
    restart(SegmentLogOptions.defaults().withQueueBytes(1_000));
    try (CollectorClient client = CollectorClient.open(run("tight").build());
        CollectorClient second = CollectorClient.open(run("tight").build())) {
      for (int i = 0; i < 500; i++) {
        client.send(FrameType.SAMPLES, Samples.traces(i * 100, i * 100 + 100), 10_000);
        second.send(
            FrameType.SAMPLES,
            Samples.traces(1_000_000 + i * 100, 1_000_000 + i * 100 + 100),
            10_000);
      }
      assertThat(second.awaitAcknowledged(50_000)).isTrue();
      closeRun(client);
    }
    assertThat(RunQueries.rows(store, "tight", "SELECT count(DISTINCT trace) FROM samples"))
        .containsExactly("100000");
  }

  @Test
  void acceptsAndIgnoresUnknownFrameTypes() throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "raw")) {
      source.frame(99, 1, new byte[100]);
      source.frame(FrameType.SAMPLES.code(), 2, Samples.traces(0, 3));
      source.frame(50, 0, new byte[10]);
      source.frame(FrameType.SAMPLES.code(), 3, new byte[] {1, 2, 3});
      source.frame(FrameType.CLOSE_RUN.code(), 4, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(4)).isTrue();
    }
    assertThat(
            RunQueries.rows(
                store,
                "raw",
                "SELECT (SELECT count(*) FROM samples), frames_unreadable FROM sources"))
        .containsExactly("3|1");
  }

  @Test
  void aMissingFrameIsRefused() throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "raw")) {
      source.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 3));
      source.frame(FrameType.SAMPLES.code(), 3, Samples.traces(3, 6));
      assertThat(source.awaitRefusal()).contains("Frame 3 came after frame 1");
    }
  }

  @Test
  void storesRepeatedFramesOnce() throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "raw")) {
      for (int i = 0; i < 3; i++) {
        source.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 3));
      }
      source.frame(FrameType.CLOSE_RUN.code(), 2, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(2)).isTrue();
    }
    assertThat(RunQueries.rows(store, "raw", "SELECT count(*) FROM samples")).containsExactly("3");
  }

  @Test
  void reconnectingSourceReplacesItsConnection() throws Exception {
    UUID source = UUID.randomUUID();
    try (RawSource old = RawSource.connect(server.address(), "raw", source);
        RawSource fresh = RawSource.connect(server.address(), "raw", source)) {
      assertThat(old.awaitRefusal()).contains("opened a new connection");
      fresh.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 3));
      assertThat(fresh.awaitAcknowledgement(1)).isTrue();
    }
  }

  @Test
  void requiresAConfiguredToken() throws Exception {
    restart(SegmentLogOptions.defaults().withToken("secret"));
    try (CollectorClient stranger = CollectorClient.open(run("t").tokenOrNull("guess").build());
        CollectorClient friend = CollectorClient.open(run("t").tokenOrNull("secret").build())) {
      assertThatThrownBy(() -> stranger.awaitWelcome(10_000)).hasMessageContaining("token");
      assertThat(friend.awaitWelcome(50_000).runFolder()).isEqualTo("t");
    }
  }

  @Test
  void aRunWithoutConnectionsIsSealedAfterAWhile() throws Exception {
    restart(SegmentLogOptions.defaults().withRunIdle(Duration.ofMillis(300)));
    try (CollectorClient client = CollectorClient.open(run("left").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    await().until(() -> !RunStore.at(store).run("left").tableFiles(Table.SAMPLES).isEmpty());
  }

  @Test
  void aRunDeletedUnderTheCollectorHarmsNoOther() throws Exception {
    try (CollectorClient victim = CollectorClient.open(run("deleted").build());
        CollectorClient other = CollectorClient.open(unnamedSource().runName("other").build())) {
      victim.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(victim.awaitAcknowledged(50_000)).isTrue();
      deleteTree(store.resolve("runs/deleted"));
      victim.offer(FrameType.SAMPLES, Samples.traces(10, 20));
      victim.offer(FrameType.DOCUMENT, document("run.json", "{}", false));
      victim.offer(FrameType.DOCUMENT, document("logs/x", "x", true));
      other.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      closeRun(victim);
      closeRun(other);
      victim.offer(FrameType.SAMPLES, Samples.traces(20, 30));
      closeRun(victim);
    }
    assertThat(RunQueries.rows(store, "other", "SELECT count(*) FROM samples"))
        .containsExactly("10");
    assertThat(RunQueries.rows(store, "deleted", "SELECT count(*) FROM samples"))
        .containsExactly("10");
  }

  @Test
  void aDamagedNewestSegmentCostsNoneOfThoseBeforeIt() throws Exception {
    writeSegment("left", 1, Samples.traces(0, 10));
    Path damaged = segmentFile("left", 2);
    Files.write(damaged, new byte[4096]);

    restart();
    try (CollectorClient client = CollectorClient.open(unnamedSource().runName("left").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(10, 20));
      closeRun(client);
    }

    assertThat(
            RunQueries.rows(store, "left", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("20|20");
    assertThat(damaged.resolveSibling(damaged.getFileName() + ".damaged")).exists();
  }

  @ParameterizedTest
  @CsvSource({"5, 90|1", "10, 90|1", "0, 0|10"})
  void whatTheDiskDamagesBeforeItIsSealedIsCountedAsMissing(int damaged, String rowsAndMissing)
      throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "hit")) {
      List<Long> ends = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        source.frame(FrameType.SAMPLES.code(), i + 1, Samples.traces(i * 10, i * 10 + 10));
        assertThat(source.awaitAcknowledgement(i + 1)).isTrue();
        ends.add(Files.size(segmentFile("hit", 1)));
      }
      if (damaged == 0) {
        Files.write(segmentFile("hit", 1), new byte[ends.get(9).intValue()]);
      } else {
        flipByte(segmentFile("hit", 1), ends.get(damaged - 1) - 10);
      }
      source.frame(FrameType.CLOSE_RUN.code(), 11, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(11)).isTrue();
    }

    assertThat(
            RunQueries.rows(
                store,
                "hit",
                "SELECT (SELECT count(*) FROM samples), sum(frames_missing) FROM sources"))
        .containsExactly(rowsAndMissing);
    assertThat(
            segmentFile("hit", 1).resolveSibling(segmentFile("hit", 1).getFileName() + ".damaged"))
        .exists();
  }

  private static void flipByte(Path file, long position) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(position);
      int old = bytes.read();
      bytes.seek(position);
      bytes.write(old ^ 1);
    }
  }

  @Test
  void segmentsThatAppearUnderTheCollectorAreSealedWithTheirRun() throws Exception {
    // As after a disk that was too full to recover the run when the collector started.
    writeSegment("late", 1, Samples.traces(0, 10));
    writeSegment("late", 2, Samples.traces(10, 20));

    try (CollectorClient client = CollectorClient.open(unnamedSource().runName("late").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(20, 30));
      closeRun(client);
    }

    assertThat(
            RunQueries.rows(store, "late", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("30|30");
  }

  @Test
  void reportsWhyARunCannotBeSealed() throws Exception {
    restart(SegmentLogOptions.defaults().withHeartbeat(Duration.ofMillis(100)));
    try (CollectorClient client = CollectorClient.open(run("blocked").build())) {
      client.awaitWelcome(50_000);
      Path inTheWay = Files.createFile(store.resolve("runs/blocked/tables"));
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      await().until(() -> client.status().lastError().contains("cannot be sealed"));
      assertThat(client.status().lastError()).contains(inTheWay.toString());

      Files.delete(inTheWay);
      assertThat(client.awaitAcknowledged(50_000)).as(client.status().toString()).isTrue();
      assertThat(client.status().lastError()).isEmpty();
    }
    assertThat(RunQueries.rows(store, "blocked", "SELECT count(*) FROM samples"))
        .containsExactly("10");
  }

  @Test
  void failedSegmentLogStopsTheCollectorAndReleasesTheStore() throws Exception {
    try (CollectorClient client = CollectorClient.open(run("half").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      int port = server.address().getPort();

      threads("fedometer-segment-log").stream()
          .filter(thread -> thread.getName().equals("fedometer-segment-log"))
          .forEach(Thread::interrupt);
      assertThat(server.awaitStop(Duration.ofSeconds(20))).isTrue();
      assertThat(server.awaitStop()).isEqualTo(CollectorServer.StopReason.FAILED);

      server = startAt(port, SegmentLogOptions.defaults());
      client.offer(FrameType.SAMPLES, Samples.traces(10, 20));
      closeRun(client);
    }
    assertThat(RunQueries.rows(store, "half", "SELECT count(*) FROM samples"))
        .containsExactly("20");
  }

  @Test
  void interruptedCloseReleasesTheStoreOnceTheSegmentLogHasEnded() throws Exception {
    try (CollectorClient client = CollectorClient.open(run("last").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(30_000)).isTrue();
    }

    Thread.currentThread().interrupt();
    server.close();
    assertThat(Thread.interrupted()).isTrue();

    server =
        await()
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> startAt(0, SegmentLogOptions.defaults()), started -> true);
    assertThat(RunQueries.rows(store, "last", "SELECT count(*) FROM samples"))
        .containsExactly("10");
  }

  @Test
  void aStartThatFailsAtTheLastStepLeavesNothingListening(@TempDir Path other) throws Exception {
    List<Thread> before = threads("fedometer-");
    Files.createDirectories(other.resolve("collector.json.tmp/in-the-way"));

    assertThatThrownBy(
            () ->
                CollectorServer.start(
                    CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), other)))
        .isInstanceOf(IOException.class);

    await().until(() -> before.containsAll(threads("fedometer-")));
  }

  @Test
  void oneStoreHasOneCollector() {
    assertThatThrownBy(() -> startAt(0, SegmentLogOptions.defaults()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Another collector (process " + ProcessHandle.current().pid())
        .hasMessageContaining(store.getFileName().toString());
  }

  @Test
  void reportsAUsedPortAndAnInvalidStore(@TempDir Path other) throws Exception {
    InetSocketAddress usedAddress = server.address();
    assertThatThrownBy(() -> CollectorServer.start(CollectorOptions.foreground(usedAddress, other)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot listen on")
        .hasMessageContaining(String.valueOf(usedAddress.getPort()));
    Path none = other.resolve("none");
    assertThatThrownBy(() -> CollectorServer.start(CollectorOptions.foreground(usedAddress, none)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot listen on");
    assertThat(none).as("a store that was not there before").doesNotExist();
    Path file = Files.createFile(other.resolve("file"));
    assertThatThrownBy(
            () ->
                CollectorServer.start(
                    CollectorOptions.foreground(
                        new InetSocketAddress("127.0.0.1", 0), file.resolve("store"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The store " + file.resolve("store") + " cannot be written");
  }

  private Path segmentFile(String run, int number) throws IOException {
    String name = new SegmentName(StoreIdentity.of(store).id(), number, number).segmentFile();
    return store.toRealPath().resolve("runs").resolve(run).resolve("segments").resolve(name);
  }

  /** A segment of the run as a collector leaves it that is killed, with one frame of one source. */
  private void writeSegment(String run, int number, byte[] samples) throws IOException {
    RunFolder folder = RunStore.at(store.toRealPath()).folderOf(run);
    Files.createDirectories(folder.segmentDirectory());
    Hello hello = Hello.builder(new UUID(0, number), "agent").runName(run).build();
    try (SegmentWriter segment =
        SegmentWriter.create(
            segmentFile(run, number),
            RUN_ID,
            run,
            List.of(new SegmentSource(0, hello, 0, 0, 1)),
            List.of())) {
      segment.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 1, samples));
      segment.commit();
    }
  }

  private CollectorServer startAt(int port, SegmentLogOptions options) throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", port), store)
            .withSegmentLog(options.withClock(OneDay.CLOCK)));
  }

  private void restart() throws IOException {
    restart(SegmentLogOptions.defaults());
  }

  private void restart(SegmentLogOptions options) throws IOException {
    int port = server.address().getPort();
    server.close();
    server = startAt(port, options);
  }

  private static List<Thread> threads(String namePrefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(namePrefix))
        .toList();
  }

  private ClientOptions.Builder unnamedSource() {
    return ClientOptions.builder("127.0.0.1", server.address().getPort());
  }

  private ClientOptions.Builder run(String name) {
    return unnamedSource().runId(RUN_ID).runName(name);
  }

  private static void closeRun(CollectorClient client) throws IOException {
    client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), 10_000);
    assertThat(client.awaitAcknowledged(50_000)).as(client.status().toString()).isTrue();
  }

  private static Totals totals(long count, boolean last) {
    return new Totals(
        List.of(new Totals.StageTotal(1, count, 1, count * 100)), 4, 0, 0, 0, 0, last);
  }

  private static byte[] document(String path, String content, boolean append) {
    return new Document(path, content.getBytes(StandardCharsets.UTF_8), append).encode();
  }

  /** Returns a document's payload with a path that {@link Document} would reject. */
  private static byte[] forgedDocument(String path) {
    byte[] payload = document("x".repeat(path.length()), "x", false);
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, payload, 2, bytes.length);
    return payload;
  }

  private static void deleteTree(Path tree) throws IOException {
    try (var paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
