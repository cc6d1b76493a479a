package org.fedometer.collector.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorProcess;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.EndpointOptions;
import org.fedometer.collector.IdleExit;
import org.fedometer.collector.RawSource;
import org.fedometer.collector.http.HttpResponses;
import org.fedometer.collector.http.HttpResponses.Events;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Marker;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dashboard data of runs, over HTTP. */
@Tag("slow")
@Timeout(180)
class DashboardTest {
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
  private static final String HOSTILE = "<script>alert(1)</script>\u0000\u001b[31m\ud800";

  @TempDir Path store;

  @Test
  void streamsDurableFramesUntilTheRunIsClosed() throws Exception {
    try (CollectorServer collector = start(1 << 20)) {
      RawSource source = RawSource.connect(collector.address(), "live");
      sendNames(source, 1);
      source.frame(FrameType.MARKER.code(), 4, new Marker("ingest", 5).encode());
      source.frame(FrameType.REQUESTS.code(), 5, requests(0, 10, 1));
      assertThat(source.awaitAcknowledgement(5)).isTrue();
      try (Events events = Events.open(collector.httpAddress(), "live")) {
        Events.Event first = events.next();
        assertThat(first.name()).isEqualTo("snapshot");
        JsonNode snapshot = first.data();
        assertThat(snapshot.at("/run/name").asText()).isEqualTo("live");
        assertThat(snapshot.at("/run/open").asBoolean()).isTrue();
        assertThat(snapshot.at("/progress/phase").asText()).isEqualTo("ingest");
        assertThat(snapshot.at("/bucketSeconds").asInt()).isEqualTo(10);

        source.frame(FrameType.REQUESTS.code(), 6, requests(10, 30, 0));
        source.frame(FrameType.SAMPLES.code(), 7, samples(30));
        source.frame(FrameType.LOGS.code(), 8, warning(HOSTILE));
        source.frame(FrameType.TELEMETRY.code(), 9, readings());
        source.frame(FrameType.TOTALS.code(), 10, totals());
        assertThat(source.awaitAcknowledgement(10)).isTrue();

        JsonNode all = snapshot;
        List<String> logged = new ArrayList<>();
        int stages = 0;
        while (all.at("/progress/objects").asLong() < 39 || stages == 0 || logged.isEmpty()) {
          Events.Event event = events.next();
          all = event.data();
          all.at("/logs").forEach(line -> logged.add(line.at("/message").asText()));
          stages += all.at("/stages").size();
        }
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0)).startsWith("<script>").doesNotContain("\u0000", "\u001b");
        JsonNode agent = all.at("/sources/0");
        assertThat(agent.at("/kind").asText()).isEqualTo("agent");
        assertThat(agent.at("/connected").asBoolean()).isTrue();
        assertThat(agent.at("/samples").asLong()).isEqualTo(300);
        assertThat(agent.at("/dropped").asLong()).isEqualTo(7);
        assertThat(agent.at("/heapUsedBytes").asLong()).isEqualTo(1000);
        assertThat(agent.at("/stagesNamed").asInt()).isEqualTo(2);
        assertWovenAndMemory(agent);
        assertThat(all.at("/telemetry").has("fedometer.agent.stages")).isFalse();

        source.close();
        await().until(() -> collector.segmentLog().release("live"));
        Events.Event last = null;
        for (Events.Event event = events.next(); event != null; event = events.next()) {
          last = event;
        }
        assertThat(last).isNotNull();
        assertThat(last.name()).isEqualTo("end");
      }
      JsonNode history = HttpResponses.json(collector.httpAddress(), "/api/history?run=live");
      assertThat(history.at("/run/open").asBoolean()).isFalse();
      assertThat(sum(history.at("/objects"))).isEqualTo(39);
      assertThat(sum(history.at("/failed"))).isEqualTo(1);
      assertThat(history.at("/errors")).hasSize(1);
      assertThat(history.at("/logs")).hasSize(1);
      assertThat(stage(history, "ingest").at("/count").asLong()).isEqualTo(30);
      assertThat(stage(history, "ingest").at("/p99Millis").asDouble()).isBetween(0.69, 0.71);
      assertThat(history.at("/sources/0/samples").asLong()).isEqualTo(300);
      assertWovenAndMemory(history.at("/sources/0"));
    }
  }

  @Test
  void unknownAgentValuesAreNull() throws Exception {
    try (CollectorServer collector = start(1 << 20);
        RawSource source = RawSource.connect(collector.address(), "live")) {
      sendNames(source, 1);
      TelemetryEncoder absurd = new TelemetryEncoder();
      absurd.add(5, 1, 1e300);
      absurd.add(5, 3, -1);
      source.frame(FrameType.TELEMETRY.code(), 4, absurd.finish());
      source.frame(FrameType.REQUESTS.code(), 5, requests(0, 3, 0));
      source.frame(FrameType.SAMPLES.code(), 6, samples(3));
      assertThat(source.awaitAcknowledgement(6)).isTrue();
      JsonNode agent = awaitObjects(collector, 3).at("/sources/0");
      for (String fact :
          List.of("stagesWoven", "stagesPlanned", "agentMemoryBytes", "agentMemoryLimitBytes")) {
        assertThat(agent.get(fact).isNull()).as(fact).isTrue();
      }
    }
  }

  @Test
  void memoryAndStoreAgree() throws Exception {
    try (CollectorServer collector = start(1 << 20)) {
      JsonNode open;
      try (RawSource source = RawSource.connect(collector.address(), "live")) {
        sendNames(source, 1);
        source.frame(FrameType.REQUESTS.code(), 4, requests(0, 200, 5));
        source.frame(FrameType.SAMPLES.code(), 5, samples(100));
        source.frame(FrameType.REQUESTS.code(), 6, purges(17));
        assertThat(source.awaitAcknowledgement(6)).isTrue();
        open = awaitObjects(collector, 195);
      }
      await().until(() -> collector.segmentLog().release("live"));
      JsonNode ended = HttpResponses.json(collector.httpAddress(), "/api/history?run=live");
      for (String column :
          List.of(
              "objects",
              "failed",
              "p50",
              "p95",
              "p99",
              "max",
              "others",
              "stageSeries",
              "stages",
              "errors",
              "from",
              "bucketSeconds")) {
        assertThat(ended.get(column)).as(column).isEqualTo(open.get(column));
      }
      assertThat(sum(ended.at("/others/purge"))).isEqualTo(17);
    }
  }

  @Test
  void aCollectorThatIsKilledAndStartedAnewCountsNothingTwice() throws Exception {
    int port = freePort();
    UUID uuid = UUID.randomUUID();
    try (CollectorProcess killed = CollectorProcess.startWithHttp(store, port, freePort())) {
      assertThat(killed).isNotNull();
      InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
      try (RawSource raw =
          await()
              .atMost(60, TimeUnit.SECONDS)
              .ignoreExceptionsInstanceOf(IOException.class)
              .until(() -> RawSource.connect(address, "live", uuid), Objects::nonNull)) {
        sendNames(raw, 1);
        // Larger than a segment: some of it is sealed, some is not.
        for (int i = 0; i < 20; i++) {
          raw.frame(FrameType.REQUESTS.code(), 4 + 2 * i, requests(i * 2000, 2000, 2));
          raw.frame(FrameType.SAMPLES.code(), 5 + 2 * i, samples(1000));
        }
        assertThat(raw.awaitAcknowledgement(43)).isTrue();
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> Files.isDirectory(store.resolve("runs/live/tables/rollups")));
      }
    }
    try (CollectorServer collector = start(200_000);
        RawSource raw = RawSource.connect(collector.address(), "live", uuid)) {
      raw.frame(FrameType.REQUESTS.code(), 44, requests(40_000, 100, 1));
      raw.frame(FrameType.SAMPLES.code(), 45, samples(50));
      assertThat(raw.awaitAcknowledgement(45)).isTrue();

      JsonNode history = awaitObjects(collector, 20 * 1998 + 99);
      assertThat(history.has("incomplete")).isFalse();
      assertThat(history.has("loading")).isFalse();
      assertThat(sum(history.at("/objects"))).isEqualTo(20 * 1998 + 99);
      assertThat(sum(history.at("/failed"))).isEqualTo(41);
      assertThat(stage(history, "ingest").at("/count").asLong()).isEqualTo(20_050);
      assertThat(history.at("/errors")).hasSize(41);
      // Data sealed from now on was counted frame by frame.
      raw.frame(FrameType.SAMPLES.code(), 46, samples(20_000));
      assertThat(raw.awaitAcknowledgement(46)).isTrue();
      await()
          .untilAsserted(
              () ->
                  assertThat(stage(history(collector), "ingest").at("/count").asLong())
                      .isEqualTo(40_050));
      assertThat(sum(history(collector).at("/objects"))).isEqualTo(20 * 1998 + 99);
    }
    try (CollectorServer collector = start(1 << 20)) {
      assertThat(sum(history(collector).at("/objects"))).isEqualTo(20 * 1998 + 99);
    }
  }

  @Test
  void aRunThatGoesOnAfterItWasPutAwayIsReadAnew() throws Exception {
    try (CollectorServer collector = start(1 << 20)) {
      for (int time = 1; time <= 2; time++) {
        try (RawSource source = RawSource.connect(collector.address(), "live")) {
          sendNames(source, 1);
          source.frame(FrameType.REQUESTS.code(), 4, requests(0, 10, 0));
          assertThat(source.awaitAcknowledgement(4)).isTrue();
        }
        await().until(() -> collector.segmentLog().release("live"));

        JsonNode history = history(collector);

        assertThat(history.at("/run/open").asBoolean()).isFalse();
        assertThat(sum(history.at("/objects"))).isEqualTo(10L * time);
      }
    }
  }

  @Test
  void limitsViewers() throws Exception {
    try (CollectorServer collector = start(1 << 20);
        RawSource source = RawSource.connect(collector.address(), "live")) {
      sendNames(source, 1);
      assertThat(source.awaitAcknowledgement(3)).isTrue();
      List<Events> viewers = new ArrayList<>();
      try {
        for (int i = 0; i < Dashboard.Limits.defaults().viewers(); i++) {
          Events one = Events.open(collector.httpAddress(), "live");
          viewers.add(one);
          assertThat(one.status()).isEqualTo(200);
          assertThat(one.next().name()).isEqualTo("snapshot");
        }
        try (Events tooMany = Events.open(collector.httpAddress(), "live")) {
          assertThat(tooMany.status()).isEqualTo(503);
        }
        assertThat(HttpResponses.get(collector.httpAddress(), "/metrics").statusCode())
            .as("a scrape finds a place")
            .isEqualTo(200);
        source.frame(FrameType.REQUESTS.code(), 4, requests(0, 10, 0));
        for (Events viewer : viewers) {
          JsonNode update = viewer.next().data();
          while (update.at("/progress/objects").asLong() < 10) {
            update = viewer.next().data();
          }
        }
        viewers.remove(0).close();
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(
                () -> {
                  Events next = Events.open(collector.httpAddress(), "live");
                  viewers.add(next);
                  return next.status() == 200;
                });
      } finally {
        for (Events viewer : viewers) {
          viewer.close();
        }
      }
    }
  }

  @Test
  void allStreamsEndWithTheCollector() throws Exception {
    CollectorServer collector = start(1 << 20);
    try (RawSource source = RawSource.connect(collector.address(), "live")) {
      sendNames(source, 1);
      assertThat(source.awaitAcknowledgement(3)).isTrue();
      try (Events events = Events.open(collector.httpAddress(), "live")) {
        assertThat(events.next().name()).isEqualTo("snapshot");
        collector.close();
        try {
          for (Events.Event event = events.next(); event != null; event = events.next()) {
            assertThat(event.name()).isNotEqualTo("end");
          }
        } catch (IOException cut) {
          assertThat(cut).hasMessageNotContaining("timed out");
        }
      }
    } finally {
      collector.close();
    }
  }

  @Test
  void viewersDoNotKeepABackgroundCollectorRunning() throws Exception {
    try (CollectorServer collector =
        CollectorServer.start(
            CollectorOptions.background(EndpointOptions.at(ANY_PORT), store)
                .withIdleExit(new IdleExit(Duration.ofMillis(300), Duration.ofSeconds(30))))) {
      assertThat(collector.httpAddress().getAddress().isLoopbackAddress()).isTrue();
      assertThat(Files.readString(store.resolve("collector.json")))
          .contains("http://127.0.0.1:" + collector.httpAddress().getPort() + "/");
      RawSource source = RawSource.connect(collector.address(), "live");
      sendNames(source, 1);
      assertThat(source.awaitAcknowledgement(3)).isTrue();
      try (Events events = Events.open(collector.httpAddress(), "live")) {
        assertThat(events.next().name()).isEqualTo("snapshot");
        source.close();
        assertThat(collector.awaitStop(Duration.ofSeconds(60))).isTrue();
      }
    }
  }

  @Test
  void boundsAndEscapesHostileSources() throws Exception {
    try (CollectorServer collector = start(8 << 20);
        RawSource source = RawSource.connect(collector.address(), "live")) {
      Dictionary names = new Dictionary();
      SampleEncoder samples = new SampleEncoder();
      for (int i = 0; i < 5_000; i++) {
        names.put(i, HOSTILE + i);
        samples.add(i, 1, i, i * 1_000_000_000_000_000L, 700_000, 600_000, false);
      }
      source.frame(FrameType.STAGES.code(), 1, names.encode());
      source.frame(FrameType.SAMPLES.code(), 2, samples.finish());
      RequestEncoder requests = new RequestEncoder();
      for (int i = 0; i < 500; i++) {
        requests.add(
            i, HOSTILE + i, "", 0, 1, 5, 6, 500, 7, HOSTILE + "x".repeat(3000), "op" + i, 5);
      }
      source.frame(FrameType.REQUESTS.code(), 3, requests.finish());
      source.frame(FrameType.SAMPLES.code(), 4, samples(10));
      assertThat(source.awaitAcknowledgement(4)).isTrue();

      JsonNode history =
          await()
              .atMost(60, TimeUnit.SECONDS)
              .until(
                  () -> history(collector),
                  read -> sum(read.at("/failed")) == 500 && !read.at("/stages").isEmpty());
      assertThat(history.at("/objects").size()).isLessThan(Timeline.MAX_BUCKETS);
      assertThat(history.at("/bucketSeconds").asInt()).isEqualTo(10);
      assertThat(history.at("/stages").size()).isLessThanOrEqualTo(200);
      assertThat(history.at("/others").size()).isEqualTo(Timeline.MAX_OPERATIONS);
      assertThat(history.at("/errors")).hasSize(100);
      for (JsonNode error : history.at("/errors")) {
        assertThat(error.at("/message").asText()).hasSizeLessThanOrEqualTo(2001);
        assertThat(error.at("/pid").asText()).startsWith("<script>").doesNotContain("\u001b");
      }
    }
  }

  @Test
  void rejectsUnknownParameters() throws Exception {
    try (CollectorServer collector = start(1 << 20)) {
      InetSocketAddress at = collector.httpAddress();
      for (String unknown :
          List.of("/api/run?name=none", "/api/history?run=none", "/api/live?run=none")) {
        HttpResponse<String> response = HttpResponses.get(at, unknown);
        assertThat(response.statusCode()).as(unknown).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type").orElse(""))
            .startsWith("application/json");
        assertThat(response.body()).startsWith("{\"error\":");
      }
      for (String bad :
          List.of(
              "/api/run",
              "/api/runs?x=1",
              "/api/history?run=a&run=b",
              "/api/history?run=a&x=b",
              "/api/history?name=a",
              "/api/live?run=..%2F..%2Fetc",
              "/api/live?run=%2e%2e",
              "/api/live?run=",
              "/api/run?name=" + "a".repeat(101))) {
        assertThat(HttpResponses.get(at, bad).statusCode()).as(bad).isEqualTo(400);
      }
      for (String nothing :
          List.of("/assets/", "/assets/no.js", "/assets/..%2fdashboard.html", "/api/", "/api")) {
        assertThat(HttpResponses.get(at, nothing).statusCode()).as(nothing).isEqualTo(404);
      }
    }
  }

  @Test
  void thePageIsOfThisProgramAlone() throws Exception {
    try (CollectorServer collector = start(1 << 20)) {
      HttpResponse<String> page = HttpResponses.get(collector.httpAddress(), "/");
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("content-security-policy").orElse(""))
          .contains("default-src 'none'; script-src 'self';")
          .contains("connect-src 'self'")
          .contains("frame-ancestors 'none'");
      assertThat(page.headers().firstValue("x-content-type-options")).hasValue("nosniff");
      assertThat(page.headers().firstValue("referrer-policy")).hasValue("no-referrer");
      assertThat(page.headers().firstValue("cache-control")).hasValue("no-cache");
      assertThat(page.headers().firstValue("etag")).isPresent();
      assertThat(page.body()).contains("<script src=\"assets/");
    }
  }

  @Test
  void listsAllRunsWithTheirDocuments() throws Exception {
    Path run = Files.createDirectories(store.resolve("runs/ended"));
    Files.writeString(
        run.resolve("run.json"),
        """
        {"schema":1,"id":"01M832QYBYCT6ST6D26HJQB2RZ","name":"ended","state":"done",
         "profile":{"name":"p","choices":{},"settings":{"a":"b"}},
         "dataset":{"name":"d","parameters":{"poolSha256":"abc","seed":"1"}},
         "workers":4,"phases":[{"name":"ingest","startNanos":5,"endNanos":1000000005}],
         "versions":{"fedometer":"1","fedora":"3.8.1"},"notes":["something is missing"],
         "started":"2026-11-23T01:00:00Z","ended":"2026-11-23T01:00:09Z"}
        """);
    Files.writeString(
        run.resolve("environment.json"),
        "{\"artifacts\":[{\"part\":\"agent\",\"file\":\"a.jar\",\"sha256\":\"ff\"}]}");
    Files.createDirectories(store.resolve("runs/broken"));
    Files.writeString(store.resolve("runs/broken/run.json"), "{");
    try (CollectorServer collector = start(1 << 20)) {
      JsonNode runs = HttpResponses.json(collector.httpAddress(), "/api/runs");
      assertThat(runs.at("/runs")).hasSize(2);
      JsonNode listed = named(runs, "ended");
      assertThat(listed.at("/state").asText()).isEqualTo("done");
      assertThat(listed.at("/durationMillis").asLong()).isEqualTo(9000);
      assertThat(listed.at("/versions/fedora").asText()).isEqualTo("3.8.1");
      assertThat(listed.at("/checksums/poolSha256").asText()).isEqualTo("abc");
      assertThat(named(runs, "broken").at("/state").asText()).isEqualTo("unknown");

      JsonNode one = HttpResponses.json(collector.httpAddress(), "/api/run?name=ended");
      assertThat(one.at("/settings/a").asText()).isEqualTo("b");
      assertThat(one.at("/phases/0/seconds").asDouble()).isEqualTo(1);
      assertThat(one.at("/artifacts/0/sha256").asText()).isEqualTo("ff");
      assertThat(one.at("/notes/0").asText()).isEqualTo("something is missing");

      Files.writeString(
          run.resolve("run.json"), "{\"schema\":1,\"name\":\"ended\",\"state\":\"failed\"}");
      await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () ->
                  assertThat(
                          named(HttpResponses.json(collector.httpAddress(), "/api/runs"), "ended")
                              .at("/state")
                              .asText())
                      .isEqualTo("failed"));
    }
  }

  @Test
  void reportsDroppedFramesAsIncomplete() throws Exception {
    RunFolder run = new RunFolder(store.resolve("runs/live"));
    Files.createDirectories(run.segmentDirectory());
    Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("live").build();
    SegmentSource source = new SegmentSource(0, hello, 0, 0, System.currentTimeMillis());
    try (Dashboard dashboard =
        new Dashboard(store, new Dashboard.Limits(10, 1, 1, Clock.systemUTC()))) {
      dashboard.begin(name -> true, Map::of);
      String segment = "0a1b2c3d-000001.segment";
      dashboard.durable(
          run, source, segment, new Frame(FrameType.SAMPLES.code(), 1, samples(1000)));

      JsonNode snapshot =
          new JsonMapper().readTree(dashboard.history("live").get(60, TimeUnit.SECONDS));

      assertThat(snapshot.at("/incomplete").asText()).contains("too much data came at once");
    }
  }

  @Test
  void moreRunsThanAreFollowedAreReadFromTheStore() throws Exception {
    RunFolder run = new RunFolder(store.resolve("runs/live"));
    Files.createDirectories(run.segmentDirectory());
    Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("live").build();
    SegmentSource source = new SegmentSource(0, hello, 0, 0, System.currentTimeMillis());
    try (Dashboard dashboard =
        new Dashboard(store, new Dashboard.Limits(1 << 20, 0, 1, Clock.systemUTC()))) {
      dashboard.begin(name -> true, Map::of);
      dashboard.durable(
          run,
          source,
          "0a1b2c3d-000001.segment",
          new Frame(FrameType.SAMPLES.code(), 1, samples(1000)));

      JsonNode snapshot =
          new JsonMapper().readTree(dashboard.history("live").get(60, TimeUnit.SECONDS));

      assertThat(snapshot.at("/run/open").asBoolean()).isTrue();
      assertThat(snapshot.at("/stages")).isEmpty();
      assertThat(dashboard.history("none")).isNull();
    }
  }

  // ---- what is sent ----

  private static void sendNames(RawSource source, long sequence) throws IOException {
    source.frame(
        FrameType.STAGES.code(),
        sequence,
        new Dictionary().put(0, "ingest").put(1, "http.request").encode());
    source.frame(FrameType.THREADS.code(), sequence + 1, new Dictionary().put(1, "t").encode());
    source.frame(
        FrameType.METRICS.code(),
        sequence + 2,
        new MetricDictionary()
            .put(0, "jvm.memory.used.heap", "By")
            .put(1, "fedometer.agent.memory.usage", "By")
            .put(2, "fedometer.agent.memory.limit", "By")
            .put(3, "fedometer.agent.stages.woven", "{stage}")
            .put(4, "fedometer.agent.stages", "{stage}")
            .encode());
  }

  private static byte[] requests(int first, int count, int failed) {
    RequestEncoder requests = new RequestEncoder();
    for (int i = 0; i < count; i++) {
      boolean fails = i < failed;
      requests.add(
          first + i,
          "a:" + (first + i),
          "",
          0,
          1,
          5,
          (1 + i % 97) * 1_000_000L,
          fails ? 500 : 201,
          7,
          fails ? "no" : "",
          "ingest",
          5);
    }
    return requests.finish();
  }

  private static byte[] purges(int count) {
    RequestEncoder requests = new RequestEncoder();
    for (int i = 0; i < count; i++) {
      requests.add(i, "a:" + i, "", 0, 1, 5, 6, 204, 0, "", "purge", 5);
    }
    return requests.finish();
  }

  private static byte[] samples(int count) {
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < count; i++) {
      samples.add(0, 1, i, i * 1_000L, 700_000, 600_000, false);
    }
    return samples.finish();
  }

  private static byte[] warning(String message) {
    LogEncoder lines = new LogEncoder();
    lines.add(5, LogLevel.INFO, 0, "a.Logger", "main", "not told", "");
    lines.add(6, LogLevel.WARN, 0, "a.Logger", "main", message, "");
    return lines.finish();
  }

  private static byte[] readings() {
    TelemetryEncoder readings = new TelemetryEncoder();
    readings.add(5, 0, 1000);
    readings.add(5, 1, 4e6);
    readings.add(5, 2, 32 << 20);
    readings.add(5, 3, 0);
    readings.add(5, 4, 64);
    readings.add(6, 1, 3_355_443);
    readings.add(6, 3, 62);
    return readings.finish();
  }

  private static byte[] totals() {
    return new Totals(
            List.of(new Totals.StageTotal(0, 300, 3, 4_500_000_000L)), 7, 0, 0, 0, 0, false)
        .encode();
  }

  // ---- content ----

  private static void assertWovenAndMemory(JsonNode agent) {
    assertThat(agent.at("/stagesWoven").asInt()).isEqualTo(62);
    assertThat(agent.at("/stagesPlanned").asInt()).isEqualTo(64);
    assertThat(agent.at("/agentMemoryBytes").asLong()).isEqualTo(3_355_443);
    assertThat(agent.at("/agentMemoryLimitBytes").asLong()).isEqualTo(32 << 20);
  }

  private static JsonNode awaitObjects(CollectorServer collector, long objects) {
    return await()
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () -> history(collector),
            read ->
                read.at("/progress/objects").asLong() == objects && !read.at("/stages").isEmpty());
  }

  private static JsonNode history(CollectorServer collector) throws Exception {
    return HttpResponses.json(collector.httpAddress(), "/api/history?run=live");
  }

  private static JsonNode stage(JsonNode history, String name) {
    return named(history.at("/stages"), name);
  }

  private static JsonNode named(JsonNode list, String name) {
    JsonNode in = list.has("runs") ? list.get("runs") : list;
    return StreamSupport.stream(in.spliterator(), false)
        .filter(one -> one.at("/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static long sum(JsonNode column) {
    return StreamSupport.stream(column.spliterator(), false).mapToLong(JsonNode::asLong).sum();
  }

  private CollectorServer start(long segmentBytes) throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(EndpointOptions.at(ANY_PORT).withHttp(ANY_PORT), store)
            .withSegmentLog(SegmentLogOptions.defaults().withSegmentBytes(segmentBytes)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
