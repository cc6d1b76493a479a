package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.RunFolder;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.Query;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Marker;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The content of a segment's frames is in the tables, each type in its own. */
class SealedTablesTest {
  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("it's a run"));
  }

  @Test
  void aNightInOneSegmentIsRolledUpToItsEnd() throws Exception {
    TestSegment segment = TestSegment.number(1).source(1, 0).threads(0, "http-1");
    Dictionary names = new Dictionary();
    for (int stage = 0; stage < 40; stage++) {
      names.put(stage, "stage." + stage);
    }
    segment.frame(0, FrameType.STAGES, names.encode());
    int intervals = 12 * 360;
    for (int from = 0; from < intervals; from += 60) {
      SampleEncoder samples = new SampleEncoder();
      for (int interval = from; interval < from + 60; interval++) {
        for (int stage = 0; stage < 40; stage++) {
          samples.add(stage, 0, 0, interval * 10_000_000_000L + stage, 1_000, 900, false);
        }
      }
      segment.samples(0, samples);
    }

    segment.seal(run);

    assertThat(
            query(
                "SELECT count(DISTINCT begin_epoch_seconds), count(DISTINCT stage), sum(count),"
                    + " sum(sum_self_nanos) FROM rollups"))
        .containsExactly("4320|40|172800|" + 172_800 * 900);
  }

  @Test
  void everyTypeOfFrameBecomesRows() throws Exception {
    TestSegment segment =
        TestSegment.number(1)
            .source(1_000, 400)
            .stages(0, "ingest", "ingest.validate")
            .threads(0, "http-\"1\"");
    SampleEncoder samples = new SampleEncoder();
    samples.add(1, 0, 7, 110, 20, 15, true);
    samples.add(0, 0, 7, 100, 50, 30, false);
    RequestEncoder requests = new RequestEncoder();
    requests.add(
        3, "demo:3", "00-ab-cd-01", 2, 1, 90, 80, 500, 1_234, "it's taken\n", "ingest", 90);
    RequestEncoder operations = new RequestEncoder();
    operations.add(4, "demo:4", "", 2, 1, 300, 80, 204, 0, "", "purge", 250);
    operations.add(5, "demo:5", "", 2, 1, 310, 70, 201, 7, "", "ingest", 310);
    TraceEncoder traces = new TraceEncoder();
    traces.add(7, 0, "demo:3", "00-ab-cd-01", "ingest", true);
    LogEncoder logs = new LogEncoder();
    logs.add(120, LogLevel.WARN, 7, "org.fcrepo", "http-1", "späte Zeile", "java.lang.Error");
    LogEncoder events = new LogEncoder();
    events.add(130, LogLevel.INFO, 0, "app", "main", "up", "", "{\"user\":\"nä\"}");
    TelemetryEncoder telemetry = new TelemetryEncoder();
    telemetry.add(130, 4, 0.25);
    telemetry.add(130, 5, Double.NaN);
    GcEncoder collections = new GcEncoder();
    collections.add("G1 Young", "end of minor GC", "Metadata", 140, 9, 2_000, 1_000);
    segment
        .samples(0, samples)
        .frame(0, FrameType.REQUESTS, requests.finish())
        .frame(0, FrameType.TRACES, traces.finish())
        .frame(0, FrameType.REQUESTS, operations.finish())
        .frame(0, FrameType.LOGS, logs.finish())
        .frame(0, FrameType.METRICS, new MetricDictionary().put(4, "cpu", "1").encode())
        .frame(0, FrameType.TELEMETRY, telemetry.finish())
        .frame(0, FrameType.GC, collections.finish())
        .frame(0, FrameType.MARKER, new Marker("ingest begins", -5).encode())
        .frame(0, FrameType.CLOCK, new ClockEstimate(1, -2, 3, "boot").encode())
        .frame(0, FrameType.ENVIRONMENT, new Environment().put("a", "old").put("b", "1").encode())
        .frame(0, FrameType.ENVIRONMENT, new Environment().put("a", "new").encode())
        .frame(0, FrameType.TOTALS, totals(2, 9).encode())
        .frame(0, FrameType.LOGS, events.finish());

    SealResult result = segment.seal(run);

    assertThat(List.of(result.samples(), result.requests(), result.traces()))
        .containsExactly(2L, 3L, 1L);
    String source = TestSegment.uuid(0).toString();
    assertRows(
        "samples",
        source + "|ingest|http-\"1\"|7|100|50|20|false|30",
        source + "|ingest.validate|http-\"1\"|7|110|20|5|true|15");
    assertRows(
        "requests",
        source + "|3|demo:3|00-ab-cd-01|2|1|90|80|500|1234|it's taken\n|ingest|90",
        source + "|4|demo:4||2|1|300|80|204|0||purge|250",
        source + "|5|demo:5||2|1|310|70|201|7||ingest|310");
    assertRows("traces", source + "|7|ingest|demo:3|00-ab-cd-01|true|ingest");
    assertRows(
        "logs",
        source + "|120|WARN|org.fcrepo|http-1|7|späte Zeile|java.lang.Error|null",
        source + "|130|INFO|app|main|0|up||{\"user\":\"nä\"}");
    assertRows("telemetry", source + "|cpu|1|130|0.25", source + "|metric-5||130|NaN");
    assertRows("gc", source + "|G1 Young|end of minor GC|Metadata|140|9|2000|1000");
    assertRows("markers", source + "|1011|ingest begins|-5");
    assertRows("clocks", source + "|1|-2|3|boot");
    assertRows("environment", source + "|1014|a|new", source + "|1013|b|1");
    assertRows("totals", source + "|1015|ingest.validate|9|1|900|2|0|false|3|4|5");
    assertRows(
        "sources",
        source + "|1016|agent|source 0|{}|1000|" + (1_000_000_000L - 400) + "|0|0|2|0|false|0");
    assertThat(query("SELECT * EXCLUDE (histogram) FROM rollups ORDER BY ALL"))
        .containsExactly(
            "0|driver.request|2|1|150|150|70|80",
            "0|driver.request.purge|1|0|80|80|80|80",
            "0|ingest|1|0|50|30|50|50",
            "0|ingest.validate|1|1|20|15|20|20");
  }

  @Test
  void numbersWithoutANameAreShownAsNumbersUpToTheLargest() throws Exception {
    SampleEncoder samples = new SampleEncoder();
    samples.add((1 << 30) - 1, Integer.MAX_VALUE, 1, 10, 5, 5, false);
    samples.add(0, 4_096, 1, 20, 5, 5, false);
    samples.add(5_000, 5_000, 1, 30, 5, 5, false);
    TraceEncoder traces = new TraceEncoder();
    traces.add(1, 77, "", "", "", false);
    TestSegment.number(1)
        .source(1, 0)
        .frame(
            0,
            FrameType.STAGES,
            new Dictionary().put(Integer.MAX_VALUE, "x").put(5_000, "far").encode())
        .frame(0, FrameType.THREADS, new Dictionary().put(5_000, "far thread").encode())
        .samples(0, samples)
        .frame(0, FrameType.TRACES, traces.finish())
        .frame(0, FrameType.TOTALS, totals(0, 1).encode())
        .seal(run);

    assertThat(query("SELECT stage, thread FROM samples ORDER BY start_nanos"))
        .containsExactly(
            "stage-1073741823|thread-2147483647", "stage-0|thread-4096", "far|far thread");
    assertThat(query("SELECT root_stage FROM traces")).containsExactly("stage-77");
    assertThat(query("SELECT stage FROM totals")).containsExactly("stage-1");
    assertThat(query("SELECT stage FROM rollups ORDER BY stage"))
        .containsExactly("far", "stage-0", "stage-1073741823");
  }

  @Test
  void sourcesGiveTheSameNumberDifferentNames() throws Exception {
    TestSegment.number(1)
        .source(1, 0)
        .source(1, 0)
        .stages(0, "a")
        .stages(1, "b")
        .threads(0, "main")
        .threads(1, "main")
        .traces(0, 0, 3)
        .traces(1, 0, 4)
        .seal(run);

    assertThat(query("SELECT source, stage, thread, count(*) FROM samples GROUP BY ALL ORDER BY 1"))
        .containsExactly(TestSegment.uuid(0) + "|a|main|3", TestSegment.uuid(1) + "|b|main|4");
  }

  @Test
  void aFrameOfAnyTypeThatCannotBeReadCostsOnlyItself() throws Exception {
    TestSegment segment = TestSegment.number(1).source(1, 0).stages(0, "a").traces(0, 0, 5);
    List<FrameType> types =
        List.of(
            FrameType.STAGES,
            FrameType.THREADS,
            FrameType.SAMPLES,
            FrameType.TRACES,
            FrameType.TOTALS,
            FrameType.REQUESTS,
            FrameType.ENVIRONMENT,
            FrameType.MARKER,
            FrameType.CLOCK,
            FrameType.LOGS,
            FrameType.METRICS,
            FrameType.TELEMETRY,
            FrameType.GC);
    types.forEach(type -> segment.frame(0, type, new byte[] {9, 9, 9}));
    SealResult result = segment.traces(0, 5, 9).request(0, 1).seal(run);

    assertThat(result.unreadableFrames()).isEqualTo(types.size());
    assertThat(query("SELECT frames_unreadable FROM sources"))
        .containsExactly(String.valueOf(types.size()));
    assertThat(query("SELECT count(*), count(DISTINCT trace) FROM samples")).containsExactly("9|9");
    assertThat(query("SELECT count(*) FROM requests")).containsExactly("1");
  }

  @Test
  void aTableOfWhichASegmentHasNoRowGetsNoFile() throws Exception {
    TestSegment.number(1).source(1, 0).request(0, 1).seal(run);

    try (var tables = Files.list(run.path().resolve("tables"))) {
      assertThat(tables.map(table -> table.getFileName().toString()))
          .containsExactlyInAnyOrder("requests", "sources", "rollups");
    }
  }

  private static Totals totals(long dropped, long count) {
    return new Totals(
        List.of(new Totals.StageTotal(1, count, 1, count * 100)), dropped, 0, 3, 4, 5, false);
  }

  private void assertRows(String table, String... rows) throws Exception {
    assertThat(query("SELECT * FROM " + table + " ORDER BY ALL")).as(table).hasSize(rows.length);
    assertThat(query("SELECT * FROM " + table)).as(table).containsExactlyInAnyOrder(rows);
  }

  private List<String> query(String sql) throws Exception {
    try (Query query = run.query()) {
      return TestStore.query(query, sql);
    }
  }
}
