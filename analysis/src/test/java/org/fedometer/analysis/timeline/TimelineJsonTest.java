package org.fedometer.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.fedometer.analysis.Golden;
import org.fedometer.analysis.timeline.RunTimeline.ByObjects;
import org.fedometer.analysis.timeline.RunTimeline.ByTime;
import org.fedometer.analysis.timeline.RunTimeline.Cell;
import org.fedometer.analysis.timeline.RunTimeline.Errors;
import org.fedometer.analysis.timeline.RunTimeline.Failed;
import org.fedometer.analysis.timeline.RunTimeline.Gc;
import org.fedometer.analysis.timeline.RunTimeline.GcPause;
import org.fedometer.analysis.timeline.RunTimeline.Growth;
import org.fedometer.analysis.timeline.RunTimeline.Heat;
import org.fedometer.analysis.timeline.RunTimeline.Icicle;
import org.fedometer.analysis.timeline.RunTimeline.Latencies;
import org.fedometer.analysis.timeline.RunTimeline.Marker;
import org.fedometer.analysis.timeline.RunTimeline.Part;
import org.fedometer.analysis.timeline.RunTimeline.Readings;
import org.fedometer.analysis.timeline.RunTimeline.Row;
import org.fedometer.analysis.timeline.RunTimeline.RowKind;
import org.fedometer.analysis.timeline.RunTimeline.SlowIngest;
import org.fedometer.analysis.timeline.RunTimeline.Stage;
import org.fedometer.analysis.timeline.RunTimeline.Stages;
import org.fedometer.analysis.trace.ObjectTrace.Placement;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

class TimelineJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void hasEveryFieldAndRoundsToFourDigits() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(1_234, 0)) {
      run.ingest(0, 0, 123.456789);
      run.ingest(1, 300, 100);

      JsonNode json = MAPPER.readTree(TimelineJson.of(run.timeline()));

      assertThat(json.fieldNames())
          .toIterable()
          .containsExactly(
              "schema",
              "kind",
              "name",
              "state",
              "origin",
              "seconds",
              "time",
              "objects",
              "heat",
              "stages",
              "icicle",
              "gc",
              "telemetry",
              "marks",
              "growth",
              "slowest",
              "errors");
      assertThat(json.path("time").path("max").path(0).asText()).isEqualTo("123.5");
      assertThat(json.path("seconds").asText()).isEqualTo("1.234");
      assertThat(json.path("objects").path("n").path(0).isIntegralNumber()).isTrue();
      assertThat(json.path("time").path("rateLow").isNull()).isTrue();
      assertThat(json.path("telemetry").isNull()).isTrue();
      assertThat(json.path("stages").isNull()).isTrue();
    }
  }

  @Test
  void writesNullForUnknownValues() throws Exception {
    try (TimelineRun run = new TimelineRun()) {
      run.document = RunDocument.builder("failed", "failed");

      JsonNode json = MAPPER.readTree(TimelineJson.of(run.timeline()));

      assertThat(json.path("origin").path("epochMillis").isNull()).isTrue();
      for (String field : List.of("seconds", "time", "heat", "icicle", "gc", "slowest", "errors")) {
        assertThat(json.path(field).isNull()).as(field).isTrue();
      }
    }
  }

  @Test
  void textsFromOutsideCannotEndAScript() throws Exception {
    String hostile = "</script><!-- & ' \u2028";
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(1_000, 0)) {
      run.request(0, "ingest", 0, 0, 1, 500, hostile);

      String json = TimelineJson.of(run.timeline());

      assertThat(json).doesNotContain("<", ">", "&", "'", "\u2028");
      assertThat(MAPPER.readTree(json).path("errors").path("message").path(0).asText())
          .isEqualTo(hostile);
    }
  }

  @Test
  void keepsItsShape() throws Exception {
    Golden.assertSame(
        "timeline.json", TimelineJson.of(everySection()).replace("],", "],\n") + "\n");
  }

  /** Returns data for every section: large, small and unknown numbers. */
  private static RunTimeline everySection() {
    Column t = Column.of(-0.25, 0, 1.0005, 86_400.123456);
    Column some = Column.of(0.00001234567, Double.NaN, 123_456_789.0, 0);
    Column counts = Column.of(0, 7, 10_000_000, 123_456_789);
    Latencies latency = new Latencies(some, t, counts, some, t, counts);
    Part part = new Part("db.write", 1.23456, Double.NaN, 2.5, List.of());
    String longText = "<&'\u2028 ä ".repeat(60);
    return new RunTimeline(
        "calm-heron",
        null,
        1_700_000_000_123L,
        12.34567,
        new ByTime(2, t, counts, some, null, some, latency, counts, latency),
        new ByObjects(100, counts, t, some, latency),
        new Heat(2, t, some, List.of(new Cell(0, 3, 12_000_000_000L), new Cell(1, 0, 1))),
        new Stages(2, t, List.of(new Stage("http.request", false, some))),
        new Icicle(5, 300, new Part("http.request", 1e9, 0, 1, List.of(part, part))),
        new Gc(3, 0.5, 2, t, some, some, List.of(new GcPause(1.23456, 20, "G1", null, longText))),
        List.of(new Readings("jvm.cpu.time", "CPU", null, t, some, some, t)),
        List.of(
            new Marker("phase", 0.00049, 3.14159, "ingest", longText),
            new Marker("change", Double.NaN, null, null, null)),
        new Growth(1, 1_000_000, 1.5, 2.5, 12_345.678, Double.NEGATIVE_INFINITY, 7, 0.000123),
        List.of(
            slow(Placement.SAME_CLOCK, null),
            slow(Placement.CLOCK_EXCHANGE, 0.12345),
            slow(Placement.CENTRED, Double.NaN),
            slow(Placement.ALONE, 1e-12)),
        new Errors(
            9,
            List.of(
                new Failed(1.23456, "a:1", "ingest", 1, 500, longText),
                new Failed(Double.NaN, null, null, 2, 0, null))));
  }

  private static SlowIngest slow(Placement clock, Double uncertaintyMillis) {
    List<Row> rows =
        List.of(
            new Row(0, RowKind.CLIENT, "client", 1, 0, 12.34567, 12.34567, null, 0),
            new Row(1, RowKind.LATER, "flush", 12_345, 0.0004, 1e6, 1e-7, 3.0, 2));
    return new SlowIngest(
        "a:1", 4_000_000_000L, 2, 1.23456, 98_765.4, 201, 0, rows, 1, clock, uncertaintyMillis);
  }
}
