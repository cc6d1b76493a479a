package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.fedometer.collector.CapturedLog;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.LiveOptions;
import org.fedometer.collector.RunQueries;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real InfluxDB 1.x has what the store has, whatever becomes of it meanwhile. */
@Tag("slow")
@Timeout(120)
class InfluxOutputTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir static Path serverFolder;
  private static ServerProcess server;
  private static Influx influx;

  @TempDir Path store;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.influxDb(serverFolder, false);
    influx = Influx.withDatabase(server);
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void pointsArriveWhileTheRunGoesOnAndAreThoseOfTheStore() throws Exception {
    String run = "live";
    try (CollectorServer collector = collector(influx.target());
        ExampleRun source = ExampleRun.connect(collector.address(), run)) {
      source.document("running", "g1");
      source.seconds(60, 25);
      assertThat(source.awaitAcknowledgement()).isTrue();

      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> {
                assertThat(count("fedometer_stages", run)).isPositive();
                assertThat(count("fedometer_gc", run)).isEqualTo(5);
                assertThat(count("fedometer_telemetry", run))
                    .isEqualTo(25L * ExampleRun.METRICS.size());
                assertThat(runs(run)).hasSize(1);
              });

      // More of the same ten seconds: the points are sent again.
      source.seconds(35, 25);
      source.document("done", "g1");
      assertThat(source.awaitAcknowledgement()).isTrue();
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> {
                assertThat(sumOfCounts(run, "ingest")).isEqualTo(50 * 20);
                assertThat(runs(run).get(0)).containsEntry("state", "done");
              });
    }

    assertThat(stages(run)).containsExactlyInAnyOrderElementsOf(stagesOfStore(run));
    assertThat(gc(run)).containsExactlyInAnyOrderElementsOf(gcOfStore(run));
    assertThat(telemetry(run)).containsExactlyInAnyOrderElementsOf(telemetryOfStore(run));
    assertThat(runs(run).get(0))
        .containsEntry("profile", "mptstore-postgresql")
        .containsEntry("choice_gc", "g1")
        .containsEntry("objects_ingested", "299")
        .containsEntry("objects_per_second", "2.99");
    assertThat(percentilesAreThoseOfTheSamples(run)).isTrue();

    Map<String, List<?>> before = everything(run);
    export(run, influx.target());
    assertThat(everything(run)).isEqualTo(before);
  }

  @Test
  void outageBlocksNothingAndExportFillsTheGap() throws Exception {
    String run = "outage";
    String log =
        CapturedLog.during(
            () -> {
              try (CollectorServer collector = collector(influx.target());
                  ExampleRun source = ExampleRun.connect(collector.address(), run)) {
                source.seconds(100, 20);
                assertThat(source.awaitAcknowledgement()).isTrue();
                await().atMost(TIMEOUT).until(() -> !stages(run).isEmpty());

                server.kill();
                source.seconds(80, 40);
                assertThat(source.awaitAcknowledgement()).isTrue();
              }
            });
    assertThat(log)
        .contains("InfluxDB accepts no points")
        .contains(
            "fedometer runs export outage --store "
                + store.toRealPath()
                + " --influx "
                + server.url()
                + " --influx-database fedometer");
    server.start();

    InfluxExport.Result result = export(run, influx.target());

    assertThat(stages(run)).containsExactlyInAnyOrderElementsOf(stagesOfStore(run));
    assertThat(gc(run)).containsExactlyInAnyOrderElementsOf(gcOfStore(run));
    assertThat(telemetry(run)).containsExactlyInAnyOrderElementsOf(telemetryOfStore(run));
    assertThat(result.refused()).isZero();
    assertThat(result.points())
        .isEqualTo(stages(run).size() + gc(run).size() + telemetry(run).size() + 1);
    assertThat(runs(run)).hasSize(1);
    Map<String, List<?>> before = everything(run);
    assertThat(export(run, influx.target())).isEqualTo(result);
    assertThat(everything(run)).isEqualTo(before);
  }

  @Test
  void restartedCollectorSendsNoLowerValues() throws Exception {
    String run = "again";
    try (CollectorServer collector = collector(influx.target());
        ExampleRun source = ExampleRun.connect(collector.address(), run)) {
      source.seconds(5, 2);
      assertThat(source.awaitAcknowledgement()).isTrue();
    }
    long sent = sumOfCounts(run, "ingest");
    assertThat(sent).isEqualTo(40);

    String log =
        CapturedLog.during(
            () -> {
              try (CollectorServer collector = collector(influx.target());
                  ExampleRun source = ExampleRun.connect(collector.address(), run)) {
                source.seconds(5, 1);
                assertThat(source.awaitAcknowledgement()).isTrue();
                assertThat(sumOfCounts(run, "ingest")).isGreaterThanOrEqualTo(sent);
                // The ten seconds that the collector before saw in part, too.
                await()
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(sumOfCounts(run, "ingest")).isEqualTo(60));
              }
            });
    assertThat(log).doesNotContain("fedometer runs export again ");

    export(run, influx.target());
    assertThat(sumOfCounts(run, "ingest")).isEqualTo(60);
    assertThat(stages(run)).containsExactlyInAnyOrderElementsOf(stagesOfStore(run));
  }

  @Test
  void oddNamesAreNamesAndNothingElse() throws Exception {
    String run = "odd";
    String[] names = {
      "two\nlines,stage=x count=1i 1",
      "ends with a backslash\\",
      "back\\,slash and comma, = \"quotes\"",
      " spaces ",
      "demo:1/\u00e4\u4e2d\ud83d\ude00\u0000",
      "tab\there"
    };
    try (CollectorServer collector = collector(influx.target());
        ExampleRun source = ExampleRun.connect(collector.address(), run)) {
      source.names(names);
      SampleEncoder samples = new SampleEncoder();
      for (int stage = 0; stage < names.length; stage++) {
        samples.add(stage, 1, stage, -60_000_000_000L, 1000 + stage, 1000, false);
      }
      source.send(FrameType.SAMPLES, samples.finish());
      assertThat(source.awaitAcknowledgement()).isTrue();
    }

    assertThat(influx.rows("SELECT max_nanos, stage FROM fedometer_stages WHERE run = 'odd'"))
        .extracting(row -> row.get("stage") + "|" + row.get("max_nanos"))
        .containsExactlyInAnyOrder(
            "two\u240alines,stage=x count=1i 1|1000",
            "ends with a backslash\uff3c|1001",
            "back\uff3c,slash and comma, = \"quotes\"|1002",
            " spaces |1003",
            "demo:1/\u00e4\u4e2d\ud83d\ude00\u2400|1004",
            "tab\u2409here|1005");
    assertThat(influx.rows("SHOW MEASUREMENTS"))
        .extracting(row -> row.get("name"))
        .allMatch(name -> name.startsWith("fedometer_"));
  }

  @Test
  void reportsAMissingDatabase() throws Exception {
    String run = "nowhere";
    InfluxTarget nowhere =
        new InfluxTarget(server.url(), new InfluxTarget.Database("nowhere", "", "", ""));
    String log = CapturedLog.during(() -> ingest(run, nowhere));

    assertThat(log)
        .contains(
            server.url() + ", database nowhere: InfluxDB accepts no points: database not found")
        .contains("fedometer runs export nowhere ");
    assertThat(RunQueries.rows(store, run, "SELECT count(*) FROM samples")).containsExactly("1000");
  }

  @Test
  void reportsRefusalBeforeTheFirstPoint() throws Exception {
    InfluxTarget nowhere =
        new InfluxTarget(server.url(), new InfluxTarget.Database("nowhere", "", "", ""));
    String log =
        CapturedLog.during(
            () -> {
              try (CollectorServer collector = collector(nowhere)) {
                await().until(() -> !collector.influx().status().failureReason().isEmpty());
              }
            });

    assertThat(log).contains("database nowhere: InfluxDB accepts no points: database not found");
    String well =
        CapturedLog.during(
            () -> {
              try (CollectorServer collector = collector(influx.target())) {
                assertThat(collector.influx().status().failureReason()).isEmpty();
              }
            });
    assertThat(well).doesNotContain("InfluxDB accepts no points");
  }

  @Test
  void reportsAWrongPassword(@TempDir Path folder) throws Exception {
    try (ServerProcess guarded = ServerProcess.influxDb(folder, true)) {
      guarded.order("/query", "q", "CREATE USER admin WITH PASSWORD 'right' WITH ALL PRIVILEGES");
      guarded.order("/query?u=admin&p=right", "q", "CREATE DATABASE fedometer");
      InfluxTarget wrong =
          new InfluxTarget(
              guarded.url(), new InfluxTarget.Database("fedometer", "", "admin", "wrong"));
      String log = CapturedLog.during(() -> ingest("wrong", wrong));

      assertThat(log)
          .contains("InfluxDB accepts no points: authorization failed")
          .doesNotContain("=wrong");
      assertThat(RunQueries.rows(store, "wrong", "SELECT count(*) FROM samples"))
          .containsExactly("1000");

      InfluxTarget right =
          new InfluxTarget(
              guarded.url(), new InfluxTarget.Database("fedometer", "", "admin", "right"));
      assertThat(export("wrong", right).refused()).isZero();
      assertThat(
              guarded.request(
                  "/query",
                  "db",
                  "fedometer",
                  "u",
                  "admin",
                  "p",
                  "right",
                  "q",
                  "SELECT count(count) FROM fedometer_stages"))
          .contains("\"values\"");
    }
  }

  // ---- the collector ----

  private void ingest(String run, InfluxTarget target) throws Exception {
    try (CollectorServer collector = collector(target);
        ExampleRun source = ExampleRun.connect(collector.address(), run)) {
      source.seconds(60, 10);
      assertThat(source.awaitAcknowledgement()).isTrue();
      await()
          .atMost(TIMEOUT)
          .until(
              () ->
                  collector.influx().status().queuedPoints() > 0
                      && !collector.influx().status().failureReason().isEmpty());
    }
  }

  /** Seals often, so that ten seconds come from many segments. */
  private CollectorServer collector(InfluxTarget target) throws Exception {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store)
            .withLive(LiveOptions.to(target))
            .withSegmentLog(SegmentLogOptions.defaults().withSegmentBytes(4_000)));
  }

  private InfluxExport.Result export(String run, InfluxTarget target) throws Exception {
    return new InfluxExport(target).write(RunStore.at(store).run(run));
  }

  // ---- what InfluxDB has ----

  private List<String> stages(String run) throws Exception {
    return texts(
        "SELECT stage, count, failed, sum_duration_nanos, sum_self_nanos, min_nanos, max_nanos,"
            + " mean_nanos FROM fedometer_stages WHERE run = '"
            + run
            + "'",
        "time",
        "stage",
        "count",
        "failed",
        "sum_duration_nanos",
        "sum_self_nanos",
        "min_nanos",
        "max_nanos",
        "mean_nanos");
  }

  private List<String> gc(String run) throws Exception {
    return texts(
        "SELECT * FROM fedometer_gc WHERE run = '" + run + "'",
        "time",
        "source",
        "collector",
        "action",
        "cause",
        "duration_nanos",
        "heap_before_bytes",
        "heap_after_bytes");
  }

  private List<String> telemetry(String run) throws Exception {
    return texts(
        "SELECT * FROM fedometer_telemetry WHERE run = '" + run + "'",
        "time",
        "source",
        "metric",
        "unit",
        "value");
  }

  private List<Map<String, String>> runs(String run) throws Exception {
    return influx.rows("SELECT * FROM fedometer_runs WHERE run = '" + run + "'");
  }

  private static List<String> texts(String influxQl, String... columns) throws Exception {
    List<String> texts = new ArrayList<>();
    for (Map<String, String> row : influx.rows(influxQl)) {
      List<String> values = new ArrayList<>();
      for (String column : columns) {
        String value = row.getOrDefault(column, "");
        boolean decimal = column.equals("mean_nanos") || column.equals("value");
        // InfluxDB writes a point field by field: concurrent queries miss some fields.
        boolean missing = value.isEmpty();
        values.add(decimal && !missing ? String.valueOf(Double.parseDouble(value)) : value);
      }
      texts.add(String.join("|", values));
    }
    return texts;
  }

  private Map<String, List<?>> everything(String run) throws Exception {
    return Map.of(
        "stages", influx.rows("SELECT * FROM fedometer_stages WHERE run = '" + run + "'"),
        "gc", gc(run),
        "telemetry", telemetry(run),
        "runs", runs(run));
  }

  private static long count(String measurement, String run) throws Exception {
    return influx.rows("SELECT * FROM " + measurement + " WHERE run = '" + run + "'").size();
  }

  private static long sumOfCounts(String run, String stage) throws Exception {
    List<Map<String, String>> rows =
        influx.rows(
            "SELECT sum(count) AS sum FROM fedometer_stages WHERE run = '%s' AND stage = '%s'"
                .formatted(run, stage));
    return rows.isEmpty() ? 0 : Long.parseLong(rows.get(0).get("sum"));
  }

  // ---- what the store has: from single samples, not from its rollups ----

  private static final String EXECUTIONS =
      """
      SELECT (start_nanos + duration_nanos + epoch_offset_nanos) // 10000000000 * 10000000000 AS time,
          stage, duration_nanos, self_nanos, failed
      FROM samples JOIN sources USING (source)
      UNION ALL
      SELECT (start_nanos + duration_nanos + epoch_offset_nanos) // 10000000000 * 10000000000,
          'driver.request', duration_nanos, duration_nanos, status NOT BETWEEN 200 AND 299
      FROM requests JOIN sources USING (source)
      """;

  private List<String> stagesOfStore(String run) throws Exception {
    return RunQueries.rows(
        store,
        run,
        "SELECT time, stage, count(*), count(*) FILTER (failed), sum(duration_nanos), sum(self_nanos),"
            + " min(duration_nanos), max(duration_nanos), sum(duration_nanos)::DOUBLE / count(*) FROM ("
            + EXECUTIONS
            + ") GROUP BY time, stage");
  }

  /** Two significant digits: the histogram's answer is less than 1 % above. */
  private boolean percentilesAreThoseOfTheSamples(String run) throws Exception {
    HashSet<String> expected = new HashSet<>();
    for (String row :
        RunQueries.rows(
            store,
            run,
            "SELECT time, stage, quantile_disc(duration_nanos, 0.5), quantile_disc(duration_nanos, 0.95),"
                + " quantile_disc(duration_nanos, 0.99) FROM ("
                + EXECUTIONS
                + ") GROUP BY time, stage")) {
      expected.add(row);
    }
    for (String row : expected) {
      String[] parts = row.split("\\|");
      Map<String, String> point =
          influx
              .rows(
                  "SELECT p50_nanos, p95_nanos, p99_nanos FROM fedometer_stages WHERE run = '%s'"
                          .formatted(run)
                      + " AND stage = '%s' AND time = %s".formatted(parts[1], parts[0]))
              .get(0);
      for (int i = 2; i < 5; i++) {
        String field = List.of("p50_nanos", "p95_nanos", "p99_nanos").get(i - 2);
        double exact = Double.parseDouble(parts[i]);
        assertThat(Double.parseDouble(point.get(field))).isBetween(exact, exact * 1.01);
      }
    }
    return !expected.isEmpty();
  }

  private List<String> gcOfStore(String run) throws Exception {
    return RunQueries.rows(
        store,
        run,
        "SELECT start_nanos + epoch_offset_nanos, source, collector, action, cause, duration_nanos,"
            + " heap_before_bytes, heap_after_bytes FROM gc JOIN sources USING (source)");
  }

  private List<String> telemetryOfStore(String run) throws Exception {
    return RunQueries.rows(
        store,
        run,
        "SELECT at_nanos + epoch_offset_nanos, source, metric, unit, value FROM telemetry"
            + " JOIN sources USING (source)");
  }
}
