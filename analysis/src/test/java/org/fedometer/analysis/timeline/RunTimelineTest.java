package org.fedometer.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.fedometer.analysis.timeline.TimelineRun.AGENT;
import static org.fedometer.analysis.timeline.TimelineRun.DRIVER;
import static org.fedometer.analysis.timeline.TimelineRun.MILLI;
import static org.fedometer.analysis.timeline.TimelineRun.at;

import java.sql.SQLException;
import java.util.List;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.timeline.RunTimeline.Icicle;
import org.fedometer.analysis.timeline.RunTimeline.Marker;
import org.fedometer.analysis.timeline.RunTimeline.Part;
import org.fedometer.analysis.timeline.RunTimeline.Readings;
import org.fedometer.analysis.timeline.RunTimeline.Row;
import org.fedometer.analysis.timeline.RunTimeline.RowKind;
import org.fedometer.analysis.timeline.RunTimeline.SlowIngest;
import org.fedometer.analysis.timeline.RunTimeline.Stage;
import org.fedometer.analysis.trace.ObjectTrace.Placement;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Outage;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;

class RunTimelineTest {

  /** An ingest of 100 ms with stages inside one another, and work on another thread. */
  private static void traced(TimelineRun run, long trace, double start) throws SQLException {
    run.ingest(trace, start, 100);
    run.trace(trace);
    run.sample("http.request", "http-1", trace, start + 5, 90, 10);
    run.sample("ingest", "http-1", trace, start + 6, 80, 50);
    run.sample("database.insert", "http-1", trace, start + 7, 10, 10);
    run.sample("database.insert", "http-1", trace, start + 20, 20, 20);
    run.sample("content.fetch", "pool-1", trace, start + 8, 3, 3);
  }

  @Test
  void showsWhatAnIngestIsMadeOf() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(1_000, 0)) {
      traced(run, 1, 0);
      traced(run, 2, 200);
      // A trace that is no ingest.
      run.sample("http.request", "http-1", 3, 500, 70, 70);
      run.sql(
          "INSERT INTO traces VALUES ('%s', 3, 'http.request', '', '', false, 'GET')"
              .formatted(AGENT));

      Icicle icicle = run.timeline().icicle();

      assertMeans(icicle);
    }
  }

  private static void assertMeans(Icicle icicle) {
    assertThat(icicle.traces()).isEqualTo(2);
    assertThat(icicle.of()).isEqualTo(2);
    Part root = icicle.root();
    assertThat(root.name()).isEqualTo("http.request");
    assertThat(root.millis()).isEqualTo(90);
    assertThat(root.self()).isEqualTo(10);
    assertThat(root.children()).extracting(Part::name).containsExactly("ingest");
    assertThat(root.children().get(0).children())
        .containsExactly(new Part("database.insert", 30, 30, 2, List.of()));
  }

  @Test
  void countsRequestsOfUnknownOperations() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(1_000, 0)) {
      traced(run, 1, 0);
      traced(run, 2, 200);
      run.sample("triples.flush", "pool-2", 9, 300, 5, 5);
      run.sql(
          "INSERT INTO traces VALUES ('%s', 9, 'triples.flush', '', '', false, '')"
              .formatted(AGENT));
      run.sql("UPDATE traces SET operation = ''");

      assertMeans(run.timeline().icicle());
    }
  }

  /** A broken clock, or a foreign file: data without a time is not drawn, all else is. */
  @Test
  void timesNearTheLimitsOfALongHideNothingElse() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(1_000, 0)) {
      traced(run, 1, 0);
      long far = Long.MAX_VALUE - 10;
      run.sql(
          "INSERT INTO gc VALUES ('%s', 'G1', '', '', %d, 1000, 1, 1), ('%s', 'G1', '', '', %d, %d, 1, 1)"
              .formatted(AGENT, far, AGENT, at(500), far));
      run.sql(
          "INSERT INTO telemetry VALUES ('%s', 'jvm.memory.used.heap', 'By', %d, 1)"
              .formatted(AGENT, Long.MIN_VALUE + 1));
      run.sql("INSERT INTO markers VALUES ('d', 1, 'tea', %d)".formatted(Long.MIN_VALUE + 1));

      RunTimeline timeline = run.timeline();

      assertThat(timeline.gc().count()).isEqualTo(1);
      assertThat(timeline.icicle().traces()).isEqualTo(1);
    }
  }

  @Test
  void aStageOfManySecondsIsBusyInAllOfThem() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(5_000, 0)) {
      run.sample("database.insert", "http-1", 1, 500, 3_000, 1_500);
      run.sample("database.insert", "http-1", 2, 4_000, 100, 100);

      Stage stage = run.timeline().stages().list().get(0);

      assertThat(stage.self().size()).isEqualTo(5);
      assertThat(stage.self()).isEqualTo(Column.of(0.25, 0.5, 0.5, 0.25, 0.1));
    }
  }

  @Test
  void looksAtShortWindowsOnlyWhereSamplesAreVeryMany() throws Exception {
    try (TimelineRun run =
        new TimelineRun().onHosts("b", "other", 3_000_000_000L).lasting(1_000, 0)) {
      traced(run, 1, 0);
      traced(run, 2, 200);
      run.sql("UPDATE samples SET start_nanos = start_nanos + 3000000000");
      try (Query query = run.query()) {
        TimelineClock clock = TimelineClock.of(query, "b", false).from(TimelineRun.ORIGIN);

        assertMeans(IcicleBuilder.of(query, clock, List.of(AGENT), Long.MAX_VALUE, 1));
      }
    }
  }

  @Test
  void showsTheSlowestIngestsAsTheirTraceWould() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(1_000, 0)) {
      traced(run, 1, 0);
      run.ingest(2, 200, 300);

      List<SlowIngest> slowest = run.timeline().slowest();

      assertThat(slowest).extracting(SlowIngest::pid).containsExactly("patents:2", "patents:1");
      assertThat(slowest.get(0).clock()).isEqualTo(Placement.ALONE);
      assertThat(slowest.get(0).rows())
          .containsExactly(new Row(0, RowKind.CLIENT, "client", 1, 0, 300, 300, null, 0));
      SlowIngest traced = slowest.get(1);
      assertThat(traced.t()).isZero();
      assertThat(traced.clock()).isEqualTo(Placement.SAME_CLOCK);
      assertThat(traced.rows())
          .containsExactly(
              new Row(0, RowKind.CLIENT, "client", 1, 0, 100, 100, 10.0, 0),
              new Row(1, RowKind.STAGE, "http.request", 1, 5, 95, 90, 10.0, 0),
              new Row(2, RowKind.STAGE, "ingest", 1, 6, 86, 80, 50.0, 0),
              new Row(3, RowKind.STAGE, "database.insert", 1, 7, 17, 10, 10.0, 0),
              new Row(3, RowKind.STAGE, "database.insert", 1, 20, 40, 20, 20.0, 0),
              new Row(0, RowKind.THREAD, "content.fetch", 1, 8, 11, 3, 3.0, 0));
    }
  }

  @Test
  void showsBusyStagesOverTimeAndSumsTheSmallest() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(3_000, 1_000)) {
      run.sample("http.request", "http-1", 1, 500, 4, 4);
      for (int stage = 1; stage <= 20; stage++) {
        run.sample("stage." + stage, "http-1", 1, 500, 10 * stage, 10 * stage);
      }
      run.sample("stage.20", "http-1", 1, 2_100, 600, 600);
      run.sample("triples.flush", "pool", 1, 3_200, 700, 700);
      run.sample("tool.counts", "pool", 1, 3_100, 700, 700);

      RunTimeline.Stages stages = run.timeline().stages();

      assertThat(stages.bucketSeconds()).isEqualTo(1);
      assertThat(stages.list()).hasSize(StageTimeline.MAX_STAGES);
      Stage first = stages.list().get(0);
      assertThat(first.name()).isEqualTo("stage.20");
      assertThat(stages.list().get(stages.list().size() - 1))
          .extracting(Stage::name, Stage::outside)
          .containsExactly("triples.flush", true);
      assertThat(first.self().at(0)).isEqualTo(0.2);
      assertThat(first.self().at(2)).isEqualTo(0.6);
      assertThat(stages.list()).extracting(Stage::name).doesNotContain("tool.counts", "stage.14");
      // 7 of 22 stages stand for themselves: 20, the flush and 19 to 15.
      Stage others =
          stages.list().stream().filter(stage -> stage.name().equals("others")).findFirst().get();
      assertThat(others.self().at(0)).isCloseTo(1.054, within(1e-9));
    }
  }

  @Test
  void readsStagesOfALongRunFromRollups() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(100_000, 0)) {
      long first = (TimelineRun.ORIGIN + TimelineRun.EPOCH_OFFSET) / 1_000_000_000L / 10 * 10;
      for (int i = 0; i < 10; i++) {
        run.sql(
            "INSERT INTO rollups VALUES (%d, 'ingest', 1, 0, 0, %d, 0, 0, ''::BLOB)"
                .formatted(first + 10 * i, i == 3 ? 5_000_000_000L : 1_000_000_000L));
        run.sql(
            "INSERT INTO rollups VALUES (%d, 'driver.request', 1, 0, 0, 1000, 0, 0, ''::BLOB)"
                .formatted(first + 10 * i));
      }

      RunTimeline.Stages stages = run.timeline().stages();

      assertThat(stages.bucketSeconds()).isEqualTo(10);
      assertThat(stages.list()).extracting(Stage::name).containsExactly("ingest");
      assertThat(stages.list().get(0).self().at(3)).isEqualTo(0.5);
    }
  }

  @Test
  void sharesALongStopAmongTheBucketsThatItReachesInto() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(4_000, 0)) {
      run.sql(
          "INSERT INTO gc VALUES ('gc.log', 'G1', 'Full', 'why', %d, %d, 0, 0), ('gc.log', 'G1', 'Young', '', %d, %d, 0, 0)"
              .formatted(at(500), 2_000 * MILLI, at(3_100), 10 * MILLI));

      RunTimeline.Gc gc = run.timeline().gc();

      assertThat(gc.count()).isEqualTo(2);
      assertThat(gc.seconds()).isEqualTo(2.01);
      assertThat(gc.share()).isEqualTo(Column.of(0.5, 1, 0.5, 0.01, 0));
      assertThat(gc.max().at(0)).isEqualTo(2_000);
      assertThat(gc.max().at(1)).isNaN();
      assertThat(gc.longest().get(0))
          .isEqualTo(new RunTimeline.GcPause(0.5, 2_000, "G1", "Full", "why"));
    }
  }

  @Test
  void makesRatesOfCountersAndLeavesGaugesAsTheyAre() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(4_000, 0)) {
      double[] cpu = {10, 10.5, 12, 1, 1.5};
      for (int i = 0; i < cpu.length; i++) {
        run.reading(DRIVER, "fedora.process.cpu.time", 1_000 * i, cpu[i]);
        run.reading(AGENT, "jvm.memory.used.heap", 1_000 * i, 100 * i);
        run.reading(AGENT, "nobody.asks.for.this", 1_000 * i, 1);
      }
      run.reading(AGENT, "jvm.memory.used.heap", 2_400, 1_000);
      run.reading(AGENT, "triples.flush.updates", 2_500, 700);

      List<Readings> telemetry = run.timeline().telemetry();

      assertThat(telemetry)
          .extracting(Readings::id)
          .containsExactly(
              "fedora.process.cpu.time", "jvm.memory.used.heap", "triples.flush.updates");
      // The process was started again before the fourth reading.
      assertThat(telemetry.get(0).t()).isEqualTo(Column.of(1, 2, 4));
      assertThat(telemetry.get(0).mean()).isEqualTo(Column.of(0.5, 1.5, 0.5));
      assertThat(telemetry.get(1).mean()).isEqualTo(Column.of(0, 100, 600, 300, 400));
      assertThat(telemetry.get(1).low().at(2)).isEqualTo(200);
      assertThat(telemetry.get(1).high().at(2)).isEqualTo(1_000);
      // An event has seconds without it.
      assertThat(telemetry.get(2).mean()).isEqualTo(Column.of(0, 0, 700, 0, 0));
    }
  }

  @Test
  void marksWhatHappened() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(60_000, 2_000)) {
      run.ingest(0, 0, 100);
      run.sql(
          "INSERT INTO markers VALUES ('d', 1, 'ingest', %d), ('d', 2, 'tea', %d)"
              .formatted(at(0), at(7_000)));
      run.document
          .outages(List.of(new Outage(Outage.FEDORA, at(10_000), at(15_000), "refused")))
          .load(
              new RunDocument.Load(
                  null,
                  null,
                  List.of(),
                  List.of(new RunDocument.Pause(at(20_000), at(21_000))),
                  List.of(new RunDocument.LoadChange(at(30_000), 8, null))));

      List<Marker> marks = run.timeline().markers();

      assertThat(marks)
          .extracting(Marker::kind)
          .containsExactly("phase", "mark", "outage", "pause", "load", "phase");
      assertThat(marks.get(2))
          .isEqualTo(
              new Marker(
                  "outage",
                  10,
                  15.0,
                  "Fedora out of reach",
                  "Fedora was out of reach for 5.00 s: refused"));
      assertThat(marks.get(4).title()).isEqualTo("8 workers");
    }
  }

  @Test
  void namesWhatHappenedWhenThePaceChanged() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(300_000, 0)) {
      // 100 ms each, with a little noise, then 200 ms from object 1,500 on.
      run.sql(
          "INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, %d + i * 100000000,"
                  .formatted(at(0))
              + " if(i < 1500, 100000000, 200000000) + hash(i) %% 7000000, 201, 0, '', 'ingest',"
                  .formatted()
              + " %d + i * 100000000 FROM range(3000) t(i)".formatted(at(0)));
      run.document.outages(List.of(new Outage(Outage.FEDORA, at(149_000), at(150_000), "")));

      RunTimeline timeline = run.timeline();

      List<Marker> changes =
          timeline.markers().stream().filter(mark -> mark.kind().equals("change")).toList();
      assertThat(changes).hasSize(1);
      assertThat(changes.get(0).t()).isCloseTo(150, within(2.0));
      assertThat(changes.get(0).title()).endsWith("slower");
      assertThat(changes.get(0).detail()).contains("Fedora was out of reach");
      assertThat(timeline.growth()).as("growth of a run that never settled").isNull();
    }
  }

  @Test
  void hasTheGrowthOfASteadyRun() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost().lasting(300_000, 0)) {
      // 100 ms each, 2 microseconds more for each object before, with more noise than that.
      run.sql(
          ("INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, %d + i * 100000000,"
                  + " 100000000 + i * 2000 + hash(i) %% 50000000, 201, 0, '', 'ingest',"
                  + " %d + i * 100000000 FROM range(3000) t(i)")
              .formatted(at(0), at(0)));

      RunTimeline.Growth growth = run.timeline().growth();

      assertThat(growth.toObjects()).isEqualTo(3_000);
      assertThat(growth.slopeMicrosPerThousand()).isCloseTo(2_000, within(1_500.0));
    }
  }

  @Test
  void whatHappenedIsLookedForFromTheFirstRequestThatWasSent() {
    // It is the last to be answered.
    Series points = Series.of(new long[] {10, 20}, new long[] {90, 5});

    assertThat(MarkerTimeline.window(1_000, points))
        .isEqualTo(new IngestWindow(1_010, 1_100, 1_100));
  }

  @Test
  void bringsAnotherHostsClockToTheDrivers() throws Exception {
    try (TimelineRun run =
        new TimelineRun().onHosts("b", "other", 3_600_000_000_000L).lasting(4_000, 0)) {
      run.reading(AGENT, "jvm.memory.used.heap", 3_600_000 + 2_000, 5);

      assertThat(run.timeline().telemetry().get(0).t()).isEqualTo(Column.of(2));
    }
  }

  @Test
  void aMonitoringRunHasStagesAndReadingsOnly() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost()) {
      run.document = null;
      run.reading(AGENT, "jvm.memory.used.heap", 0, 5);
      run.reading(AGENT, "jvm.memory.used.heap", 3_000, 7);
      run.sample("http.request", "http-1", 1, 1_000, 10, 10);

      RunTimeline timeline = run.timeline();

      assertThat(timeline.state()).isEqualTo("monitoring");
      assertThat(timeline.seconds()).isEqualTo(3);
      assertThat(timeline.originEpochMillis())
          .isEqualTo((TimelineRun.ORIGIN + TimelineRun.EPOCH_OFFSET) / MILLI);
      assertThat(timeline.telemetry()).hasSize(1);
      assertThat(timeline.stages().list()).extracting(Stage::name).containsExactly("http.request");
      assertThat(timeline.time()).isNull();
      assertThat(timeline.objects()).isNull();
      assertThat(timeline.heat()).isNull();
      assertThat(timeline.icicle()).isNull();
      assertThat(timeline.gc()).isNull();
      assertThat(timeline.growth()).isNull();
      assertThat(timeline.slowest()).isEmpty();
      assertThat(timeline.errors()).isNull();
    }
  }

  @Test
  void anImportedRunHasRequestsOnly() throws Exception {
    try (TimelineRun run = new TimelineRun()) {
      run.sql("DELETE FROM sources");
      run.document =
          RunDocument.builder("imported", "imported")
              .imported(
                  new RunDocument.Imported("durations", "f", "0", 1, "ms", "ingest", 3, null));
      for (int i = 0; i < 3; i++) {
        run.ingest(i, 1_000 * i, 500);
      }

      RunTimeline timeline = run.timeline();

      assertThat(timeline.originEpochMillis()).isEqualTo(TimelineRun.ORIGIN / MILLI);
      assertThat(timeline.seconds()).isEqualTo(2.5);
      assertThat(timeline.time().objects()).isEqualTo(Column.of(1, 2, 3));
      assertThat(timeline.stages()).isNull();
      assertThat(timeline.telemetry()).isEmpty();
      assertThat(timeline.slowest()).hasSize(3);
    }
  }

  @Test
  void aRunThatFailedBeforeItBeganHasNothing() throws Exception {
    try (TimelineRun run = new TimelineRun()) {
      run.document =
          RunDocument.builder("failed", "failed")
              .failure(new RunDocument.Failure("provision", "no disk", null));

      RunTimeline timeline = run.timeline();

      assertThat(timeline.seconds()).isNull();
      assertThat(timeline.originEpochMillis()).isNull();
      assertThat(timeline.time()).isNull();
      assertThat(timeline.markers()).isEmpty();
    }
  }

  @Test
  void aRunThatIsStillGoingEndsWithItsLastAnswer() throws Exception {
    try (TimelineRun run = new TimelineRun().onOneHost()) {
      run.document =
          RunDocument.builder("running", "running")
              .bootId("b")
              .phases(List.of(new RunDocument.Phase("ingest", at(0), 0)));
      run.ingest(0, 100, 300);
      run.ingest(1, 1_000, 700);
      traced(run, 2, 1_100);

      RunTimeline timeline = run.timeline();

      assertThat(timeline.seconds()).isEqualTo(1.7);
      assertThat(timeline.icicle().traces()).isEqualTo(1);
      assertThat(timeline.markers()).extracting(Marker::end).containsExactly((Double) null);
    }
  }
}
