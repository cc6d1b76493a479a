package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.report.RunReport.FailureGroup;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Problem;
import org.fedometer.analysis.report.RunReport.Severity;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Failure;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunReportTest {

  private static final long MS = 1_000_000;

  private TestRun run;

  @BeforeEach
  void open() throws Exception {
    run = new TestRun();
  }

  @AfterEach
  void close() throws Exception {
    run.close();
  }

  @Test
  void attributesRequestTimeToStagesBySelfTime() throws Exception {
    twoRequests();

    RunReport report = run.report();

    assertThat(report.stages().requests()).isEqualTo(2);
    assertThat(report.stages().requestNanos()).isEqualTo(40 * MS);
    assertThat(report.stages().list())
        .extracting(Stage::name)
        .containsExactly("triples.flush", "ingest", "ingest.validate", "http.request");
    Stage ingest = stage(report, "ingest");
    assertThat(ingest.p50Nanos()).isBetween(16 * MS, 16 * MS + 16 * MS / 1000);
    assertThat(ingest)
        .isEqualTo(
            new Stage(
                "ingest",
                2,
                1,
                34 * MS,
                20 * MS,
                20 * MS,
                0.5,
                0,
                ingest.p50Nanos(),
                18 * MS,
                18 * MS,
                18 * MS));
    assertThat(ingest.meanNanos()).isEqualTo(17.0 * MS);
    assertThat(stage(report, "ingest.validate").share()).isEqualTo(14 / 40.0);
    assertThat(stage(report, "http.request").share()).isEqualTo(6 / 40.0);
  }

  @Test
  void aFlushOfTriplesThatFailedIsAProblemWithItsReason() throws Exception {
    twoRequests();
    run.sample("triples.flush", "pool-1", 96, 190 * MS, MS, MS, true);
    run.sample("triples.flush", "pool-1", 97, 195 * MS, MS, MS, true);
    run.totals(0, 0, true);
    run.sql("UPDATE totals SET failed = 2 WHERE stage = 'triples.flush'");
    run.log(190 * MS, "WARN", 96, "Error auto-flushing update buffer: too long", "");
    assertThat(run.report().problems())
        .contains(
            wrong(
                "2 flushes of triples failed and lost triples of acknowledged ingests:"
                    + " Error auto-flushing update buffer: too long"));
    assertThat(run.report().logs()).isEqualTo(new RunReport.LogCounts(1, 0, 0));

    run.sql(
        "INSERT INTO telemetry (source, metric, unit, at_nanos, value)"
            + " VALUES ('a', 'triples.flush.lost', '{update}', 1, 1041),"
            + " ('a', 'triples.flush.lost', '{update}', 2, 1)");
    run.log(190 * MS, "ERROR", 96, "triples lost: a flush of 1 update failed: value too long", "");
    run.sql("UPDATE logs SET logger = 'org.fedometer.agent' WHERE level = 'ERROR'");
    RunReport report = run.report();
    assertThat(report.problems())
        .contains(
            wrong(
                "2 flushes of triples failed and lost up to 1,042 updates of acknowledged ingests:"
                    + " value too long"));
    assertThat(report.endedWell()).isFalse();
    assertThat(report.logs()).isEqualTo(new RunReport.LogCounts(1, 1, 0));
  }

  @Test
  void aLossOnAThreadThatIsNotRecordedIsAProblemToo() throws Exception {
    twoRequests();
    run.totals(0, 0, true);
    run.sql(
        "INSERT INTO telemetry (source, metric, unit, at_nanos, value)"
            + " VALUES ('a', 'triples.flush.lost', '{update}', 1, 42)");
    assertThat(run.report().problems())
        .contains(
            wrong("1 flush of triples failed and lost up to 42 updates of acknowledged ingests."));
  }

  @Test
  void separatesStagesOnOtherThreadsFromThoseOfRequests() throws Exception {
    twoRequests();

    Stage flush = stage(run.report(), "triples.flush");

    assertThat(flush.outside()).isTrue();
    assertThat(flush.outsideCount()).isEqualTo(2);
    assertThat(flush.share()).isZero();
  }

  @Test
  void countsOnlyTriplesInTheDrainAndNothingBeforeTheIngest() throws Exception {
    twoRequests();
    run.sample("http.request", "http-1", 90, 50 * MS, 5 * MS, 5 * MS);
    run.sample("triples.flush", "pool-1", 91, 60 * MS, 5 * MS, 5 * MS);
    run.sample("http.request", "http-1", 92, 210 * MS, 9 * MS, 2 * MS);
    run.sample("triples.flush", "http-1", 92, 211 * MS, 7 * MS, 7 * MS);
    run.sample("triples.flush", "pool-1", 93, 260 * MS, 7 * MS, 7 * MS);

    RunReport report = run.report();

    assertThat(report.stages().requestNanos()).isEqualTo(40 * MS);
    Stage flush = stage(report, "triples.flush");
    assertThat(flush.count()).isEqualTo(3);
    assertThat(flush.outsideCount()).isEqualTo(3);
    assertThat(flush.requestSelfNanos()).isZero();
    assertThat(flush.totalNanos()).isEqualTo(57 * MS);
  }

  @Test
  void theLongestTimeOfAStageIsOneOfTheIngest() throws Exception {
    twoRequests();
    run.sample("ingest", "http-1", 90, 50 * MS, 40 * MS, 40 * MS);
    run.sample("ingest.validate", "http-1", 91, 60 * MS, 8 * MS, 8 * MS);
    run.sample("only.before", "http-1", 92, 70 * MS, 9 * MS, 9 * MS);

    RunReport report = run.report();

    assertThat(stage(report, "ingest").maxNanos()).isEqualTo(18 * MS);
    assertThat(stage(report, "ingest").p99Nanos()).isEqualTo(18 * MS);
    assertThat(stage(report, "ingest.validate").maxNanos()).isEqualTo(8 * MS);
    assertThat(stage(report, "http.request").maxNanos()).isEqualTo(21 * MS);
    assertThat(report.stages().list()).extracting(Stage::name).doesNotContain("only.before");
  }

  @Test
  void measuresTheIngestFromItsStartToTheEndOfTheDrain() throws Exception {
    twoRequests();

    RunReport report = run.report();

    assertThat(report.speed().finalFlushIncluded()).isTrue();
    assertThat(report.speed().overall().nanos()).isEqualTo(150 * MS);
    assertThat(report.speed().overall().objectsPerSecond()).isEqualTo(2 / 0.150, within(1e-9));
    assertThat(report.speed().ingest().nanos()).isEqualTo(62 * MS);
    assertThat(report.speed().ingest().latency())
        .isEqualTo(new Latency(2, 21.0 * MS, 20 * MS, 22 * MS, 22 * MS, 22 * MS));
    assertThat(report.speed().warmUp().verdict()).isEqualTo(WarmUp.Verdict.TOO_SHORT);
    assertThat(report.speed().cold()).isNull();
    assertThat(report.speed().warm()).isNull();
  }

  /** As after a {@code --resume}: the driver was away, and then looks at what was in before. */
  @Test
  void aLookAtWhatFedoraHasKeptIsNeitherLoadNorFlush() throws Exception {
    twoRequests();
    run.outages =
        List.of(
            new RunDocument.Outage(
                RunDocument.Outage.DRIVER, 131 * MS, 139 * MS, "The driver was not running."));
    run.phases =
        List.of(
            new Phase("ingest", 100 * MS, 200 * MS),
            new Phase("check", 203 * MS, 240 * MS),
            new Phase("drain", 240 * MS, 250 * MS));

    RunReport report = run.report();

    assertThat(report.speed().overall().nanos()).isEqualTo((150 - 8 - 37) * MS);
    assertThat(report.speed().ingest().nanos()).isEqualTo((62 - 8) * MS);
    assertThat(ReportSummary.phases(report.run()))
        .isEqualTo("ingest 92.0 ms, check 37.0 ms, drain 10.0 ms");
  }

  @Test
  void setsTheDriversTimeBesideFedoras() throws Exception {
    twoRequests();

    assertThat(run.report().clientTime().meanNanos()).isEqualTo(21.0 * MS);
    assertThat(run.report().clientTime().meanHttpRequestNanos()).isEqualTo(20.0 * MS);
    assertThat(run.report().clientTime().beyondFedoraNanos()).isEqualTo(1.0 * MS);
  }

  @Test
  void doesNotCompareTheDriverWithFedoraWhereOthersSentRequestsToo() throws Exception {
    twoRequests();
    for (int i = 0; i < 3; i++) {
      run.sample("http.request", "http-3", 100 + i, 120 * MS, MS, MS);
    }

    assertThat(run.report().clientTime()).isNull();
  }

  @Test
  void endsWellWhereAllCountsAgree() throws Exception {
    twoRequests();

    RunReport report = run.report();

    assertThat(report.problems()).isEmpty();
    assertThat(report.endedWell()).isTrue();
    assertThat(report.samples().received()).isEqualTo(8);
    assertThat(report.samples().lost()).isZero();
  }

  /** 100 objects of 30 ms, then 400 of 10 ms, one after the other. */
  @Test
  void splitsColdFromWarm() throws Exception {
    run.sql(
        """
        INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, start,
          (CASE WHEN i < 100 THEN 30 ELSE 10 END) * 1000000, 201, 1, '', 'ingest', start
        FROM (SELECT i,
          CASE WHEN i < 100 THEN i * 30 ELSE 3000 + (i - 100) * 10 END * 1000000 + 1000 AS start
          FROM range(500) t(i))""");
    run.objects = new ObjectCounts(500, 500, 0, null, 0, 500);
    run.phases = List.of(new Phase("ingest", 1000, 7000 * MS + 2000));

    RunReport.Speed speed = run.report().speed();

    assertThat(speed.warmUp()).isEqualTo(new WarmUp(WarmUp.Verdict.SETTLED, 100));
    assertThat(speed.cold().objects()).isEqualTo(100);
    assertThat(speed.cold().objectsPerSecond()).isEqualTo(100 / 3.0, within(1e-9));
    assertThat(speed.cold().latency().p50Nanos()).isEqualTo(30 * MS);
    assertThat(speed.warm().objects()).isEqualTo(400);
    assertThat(speed.warm().objectsPerSecond()).isEqualTo(100.0, within(1e-9));
    assertThat(speed.warm().latency().maxNanos()).isEqualTo(10 * MS);
    assertThat(speed.ingest().objectsPerSecond()).isEqualTo(500 / 7.0, within(1e-9));
    assertThat(speed.finalFlushIncluded()).isFalse();
    assertThat(speed.overall().nanos()).isEqualTo(speed.ingest().nanos());
  }

  /** One after the other, 10 ms and a nanosecond more for each object before, with some noise. */
  @ParameterizedTest
  @ValueSource(ints = {3_000, 60_003})
  void reportsGrowthOfTimePerObject(int objects) throws Exception {
    run.sql(
        """
        INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, i * 20000000 + 1000,
          10000000 + i + hash(i) %% 500, 201, 1, '', 'ingest', i * 20000000 + 1000 FROM range(%d) t(i)"""
            .formatted(objects));
    run.objects = new ObjectCounts(objects, objects, 0, null, 0, objects);
    run.phases = List.of(new Phase("ingest", 1000, (objects + 1) * 20L * MS));

    RunReport report = run.report();

    SizeSlope growth = report.speed().growth();
    assertThat(growth.nanosPerObject()).isCloseTo(1, within(0.05));
    assertThat(growth.low()).isLessThan(1).isPositive();
    assertThat(growth.high()).isGreaterThan(1);
    assertThat(growth.toObjects()).isBetween(objects - 20L, (long) objects);
    assertThat(growth.toNanos()).isCloseTo(10 * MS + objects, within(1_000.0));
    assertThat(ReportSummary.growth(growth))
        .startsWith("From ")
        .contains(" objects the time per object goes from 10.0 ms to 10.")
        .contains(" per thousand objects, between +")
        .endsWith("(95 %), p < 0.001.");
  }

  @Test
  void reportsNoGrowthForFewObjects() throws Exception {
    run.sql(
        """
        INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, i * 20000000 + 1000, 10000000,
          201, 1, '', 'ingest', i * 20000000 + 1000 FROM range(99) t(i)""");
    run.objects = new ObjectCounts(99, 99, 0, null, 0, 99);
    run.phases = List.of(new Phase("ingest", 1000, 2_000 * MS));

    assertThat(run.report().speed().growth()).isNull();
  }

  @Test
  void computesPercentilesByNearestRank() throws Exception {
    run.sql(
        """
        INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, i * 1000, i, 201, 1, '',
          'ingest', i * 1000
        FROM range(1, 1001) t(i)""");
    run.objects = new ObjectCounts(1000, 1000, 0, null, 0, 500);
    run.phases = List.of(new Phase("ingest", 1, 2_000_000));

    assertThat(run.report().speed().ingest().latency())
        .isEqualTo(new Latency(1000, 500.5, 500, 950, 990, 1000));
  }

  /** Compares each percentile with the sorted times, for all sizes from 0 ns to an hour. */
  @Test
  void computesPercentilesOfStagesWithinATenthOfAPercent() throws Exception {
    Random random = new Random(7);
    run.phases = List.of(new Phase("ingest", 1, 2_000_000));
    for (int stage = 0; stage < 12; stage++) {
      double spread = 1 + stage * 2;
      long[] times = new long[500 + stage];
      for (int i = 0; i < times.length; i++) {
        times[i] = (long) Math.exp(random.nextDouble() * spread + stage) - 1;
        run.sample("stage-" + (char) ('a' + stage), "http-1", 1, 1000 + i, times[i], times[i]);
      }
      Arrays.sort(times);
      Stage measured = stage(run.report(), "stage-" + (char) ('a' + stage));
      assertThat(measured.p50Nanos()).satisfies(p -> near(p, rank(times, 50)));
      assertThat(measured.p95Nanos()).satisfies(p -> near(p, rank(times, 95)));
      assertThat(measured.p99Nanos()).satisfies(p -> near(p, rank(times, 99)));
      assertThat(measured.maxNanos()).isEqualTo(times[times.length - 1]);
    }
  }

  private static long rank(long[] sorted, int percent) {
    return sorted[(sorted.length * percent + 99) / 100 - 1];
  }

  private static void near(long percentile, long exact) {
    assertThat(percentile).isBetween(exact, (long) (exact * 1.001));
  }

  @Test
  void countsTheThreadsOfEachSourceByThemselves() throws Exception {
    String other = "00000000-0000-0000-0000-00000000000b";
    run.phases = List.of(new Phase("ingest", 1, 100 * MS));
    run.sample("http.request", "worker-1", 1, MS, 10 * MS, 10 * MS);
    run.sample("triples.flush", "worker-1", 1, 2 * MS, MS, MS);
    run.sample("triples.flush", "worker-1", 2, 3 * MS, MS, MS);
    run.sql("UPDATE samples SET source = '" + other + "' WHERE trace = 2");

    assertThat(stage(run.report(), "triples.flush").outsideCount()).isEqualTo(1);
  }

  /** Names of stages and threads come from anybody who can send samples. */
  @Test
  void acceptsAnyCharactersInNames() throws Exception {
    String stage = "it's] , 'a\\' -- \u0000;";
    String thread = "']), thread) OR true --";
    run.phases = List.of(new Phase("ingest", 1, 100 * MS));
    run.sample("http.request", thread, 1, MS, 10 * MS, 9 * MS);
    run.sample(stage, thread, 1, 2 * MS, MS, MS);
    run.sample(stage, "pool-1", 2, 3 * MS, 2 * MS, 2 * MS);

    Stage measured = stage(run.report(), stage);

    assertThat(measured.outsideCount()).isEqualTo(1);
    assertThat(measured.p50Nanos()).isBetween(MS, MS + MS / 1000);
    assertThat(measured.p99Nanos()).isEqualTo(2 * MS);
  }

  /** Earlier, later, slower and worse than every ingest, so that each figure would show them. */
  @Test
  void requestsOfOtherOperationsAreInNoFigureOfTheIngest() throws Exception {
    twoRequests();
    RunReport without = run.report();
    for (int i = 0; i < 20; i++) {
      run.operation("purge", i, 2, 90 * MS, 101 * MS, 95 * MS, i == 0 ? 500 : 204, "");
      run.operation("get-dc", 50 + i, 1, 102 * MS, 102 * MS, 1_000 * MS, 200, "");
    }

    RunReport report = run.report();

    assertThat(report.speed()).isEqualTo(without.speed());
    assertThat(report.objects()).isEqualTo(without.objects());
    assertThat(report.clientTime()).isNotNull().isEqualTo(without.clientTime());
    assertThat(report.stages()).isEqualTo(without.stages());
    assertThat(report.requests().sent()).isEqualTo(42);
    assertThat(report.requests().retried()).isEqualTo(20);
    assertThat(report.requests().failed()).isEqualTo(1);
    assertThat(report.operations().get(0)).isEqualTo(without.operations().get(0));
  }

  @Test
  void aRunThatWasKilledIsAsLongAsItsIngestsWere() throws Exception {
    twoRequests();
    run.operation("purge", 7, 1, 0, 1, 2_000 * MS, 204, "");
    run.state = "running";
    run.phases = List.of();
    run.objects = new ObjectCounts(500, 0, 0, null, 0, 0);

    RunReport report = run.report();

    assertThat(report.objects().ingested()).isEqualTo(2);
    assertThat(report.speed().ingest().nanos()).isEqualTo(52 * MS);
  }

  @Test
  void reportsServiceAndResponseTimesOfEachOperation() throws Exception {
    run.phases = List.of(new Phase("ingest", 1, 1_000 * MS));
    for (int i = 1; i <= 200; i++) {
      run.operation("get-dc", i, 1, i * MS, i * MS, i * 1_000, 200, "");
    }
    for (int i = 1; i <= 100; i++) {
      run.operation("purge", i, 1, i * MS - 20_000 * i, i * MS, i, 204, "");
    }
    run.operation("purge", 101, 1, 500, 500, 9_999, 404, "no such object");
    run.operation("risearch", 0, 1, 3, 3 + MS, 7, 0, "no answer");
    run.ingested(1, 40 * MS, 30);

    RunReport report = run.report();

    assertThat(report.operations())
        .extracting(
            RunReport.Operation::name,
            RunReport.Operation::count,
            RunReport.Operation::failed,
            RunReport.Operation::late)
        .containsExactly(
            tuple("ingest", 1L, 0L, 0L),
            tuple("get-dc", 200L, 0L, 0L),
            tuple("purge", 101L, 1L, 51L),
            tuple("risearch", 1L, 1L, 1L));
    assertThat(report.operations().get(0).serviceTime())
        .isEqualTo(new Latency(1, 30, 30, 30, 30, 30));
    assertThat(report.operations().get(1).serviceTime())
        .isEqualTo(new Latency(200, 100_500, 100_000, 190_000, 198_000, 200_000))
        .isEqualTo(report.operations().get(1).responseTime());
    assertThat(report.operations().get(2).serviceTime())
        .isEqualTo(new Latency(100, 50.5, 50, 95, 99, 100));
    assertThat(report.operations().get(2).responseTime())
        .isEqualTo(new Latency(100, 1_010_050.5, 1_000_050, 1_900_095, 1_980_099, 2_000_100));
    assertThat(report.operations().get(3).serviceTime()).isNull();
    assertThat(report.operations().get(3).responseTime()).isNull();
    assertThat(report.anyLate()).isTrue();
  }

  @Test
  void reportsUndoneOperationsEvenIfObjectsAgree() throws Exception {
    twoRequests();
    run.request(1, 1, 110 * MS, MS, 500, "busy");
    run.operation("purge", 1, 1, 111 * MS, 111 * MS, MS, 500, "busy");
    run.operation("purge", 1, 2, 113 * MS, 113 * MS, MS, 500, "busy");

    RunReport report = run.report();

    assertThat(report.requests().failures())
        .containsExactly(
            new FailureGroup("purge", 2, 500, "busy", "patents:1"),
            new FailureGroup("ingest", 1, 500, "busy", "patents:1"));
    assertThat(report.problems())
        .containsExactly(
            wrong("2 requests (purge) failed with HTTP status 500, first patents:1: busy"),
            wrong(
                "1 request (purge) failed for good: according to the responses, the operation was not"
                    + " performed."),
            note("1 request failed with HTTP status 500, first patents:1: busy"),
            note("Every object was ingested in spite of these failures."));
    assertThat(report.endedWell()).isFalse();
    assertThat(TextReport.of(report, new TextStyle(100, true, false)))
        .contains("✗ requests  5 sent, 3 failed, 1 retried");
  }

  /** As Fedora 3.5 has it when an object is changed twice at once. */
  @Test
  void whatAFurtherAttemptMadeGoodIsNoted() throws Exception {
    twoRequests();
    run.operation("add-relationship", 1, 1, 111 * MS, 111 * MS, MS, 409, "locked");
    run.operation("add-relationship", 1, 2, 112 * MS, 112 * MS, MS, 0, "no answer");
    run.operation("add-relationship", 1, 3, 113 * MS, 113 * MS, MS, 200, "");
    run.operation("add-relationship", 1, 1, 114 * MS, 114 * MS, MS, 200, "");
    run.operation("add-relationship", 1, 1, 115 * MS, 115 * MS, MS, 409, "locked");
    run.operation("add-relationship", 1, 2, 116 * MS, 116 * MS, MS, 200, "");

    RunReport report = run.report();

    assertThat(report.operations().get(1).failed()).isEqualTo(3);
    assertThat(report.operations().get(1).givenUp()).isZero();
    assertThat(report.problems())
        .containsExactly(
            note(
                "2 requests (add-relationship) failed with HTTP status 409, first patents:1:"
                    + " locked"),
            note("1 request (add-relationship) got no answer, first patents:1: no answer"),
            note("Every object was ingested in spite of these failures."));
    assertThat(report.endedWell()).isTrue();
    assertThat(TextReport.of(report, new TextStyle(100, true, false)))
        .contains("• requests  8 sent, 3 failed, 3 retried");
  }

  @Test
  void doesNotCountALaterRequestAsARetry() throws Exception {
    twoRequests();
    run.operation("purge", 1, 1, 111 * MS, 111 * MS, MS, 500, "busy");
    run.operation("purge", 1, 1, 112 * MS, 112 * MS, MS, 204, "");
    run.operation("purge", 2, 2, 113 * MS, 113 * MS, MS, 204, "");

    assertThat(run.report().operations().get(1).givenUp()).isEqualTo(1);
  }

  @Test
  void groupsFailuresByMessageWithoutThePid() throws Exception {
    twoRequests();
    run.request(7, 1, 110 * MS, MS, 500, "Object patents:7 is locked");
    run.request(8, 1, 111 * MS, MS, 500, "Object patents:8 is locked");
    run.request(9, 1, 112 * MS, MS, 0, null);
    run.request(9, 2, 113 * MS, MS, 0, null);

    RunReport report = run.report();

    assertThat(report.requests().sent()).isEqualTo(6);
    assertThat(report.requests().retried()).isEqualTo(1);
    assertThat(report.requests().failed()).isEqualTo(4);
    assertThat(report.requests().failures())
        .containsExactly(
            new FailureGroup("ingest", 2, 500, "Object patents:7 is locked", "patents:7"),
            new FailureGroup("ingest", 2, 0, "", "patents:9"));
    assertThat(report.speed().ingest().latency().count()).isEqualTo(2);
    assertThat(report.problems())
        .containsExactly(
            note(
                "2 requests failed with HTTP status 500, first patents:7: Object patents:7 is locked"),
            note("2 requests got no answer, first patents:9"),
            note("Every object was ingested in spite of these failures."));
    assertThat(report.endedWell()).isTrue();
  }

  @Test
  void aRequestWhoseTimeCannotBeIsCountedAndInNoFigureOfTime() throws Exception {
    twoRequests();
    run.ingested(2, 150 * MS, -5 * MS);

    RunReport report = run.report();

    assertThat(report.requests().sent()).isEqualTo(3);
    assertThat(report.speed().ingest().latency().count()).isEqualTo(2);
  }

  /** Fedora had ingested it before the connection broke; the driver found it complete. */
  @Test
  void doesNotMissTheRequestOfAnObjectWhoseAnswerWasLost() throws Exception {
    twoRequests();
    run.request(2, 1, 150 * MS, MS, 0, "Connection reset");
    run.objects = new ObjectCounts(3, 3, 0, 3L, 2, 2000);

    assertThat(run.report().problems())
        .containsExactly(
            note("1 request got no answer, first patents:2: Connection reset"),
            note("Every object was ingested in spite of these failures."));
  }

  @Test
  void fallsBackOnTheDocumentsFailuresWhereNoRequestIsOnRecord() throws Exception {
    RunDocument document =
        RunDocument.builder("n", "failed")
            .id("id")
            .workers(1)
            .requests(
                new RunDocument.RequestCounts(
                    5,
                    1,
                    3,
                    List.of(
                        new RunDocument.FailedRequest(null, "p:1", 1, 500, "no p:1"),
                        new RunDocument.FailedRequest(null, "p:2", 1, 500, "no p:2"),
                        new RunDocument.FailedRequest(null, null, 1, 0, null))))
            .build();

    RunReport report = run.report(document, "n");

    assertThat(report.requests().failures())
        .containsExactly(
            new FailureGroup("ingest", 2, 500, "no p:1", "p:1"),
            new FailureGroup("ingest", 1, 0, "", ""));
  }

  @Test
  void acceptsExtraTriplesIfTheVerificationDoes() throws Exception {
    twoRequests();
    run.triples = new TripleCounts(0L, 74L, 111L);
    assertThat(run.report().problems()).isEmpty();

    run.verification = new Verification(false, 2, 2000, List.of());
    assertThat(run.report().problems())
        .contains(wrong("37 triples too many: 74 expected, 111 in the triplestore."));
  }

  @Test
  void namesEveryWayInWhichCountsDisagree() throws Exception {
    twoRequests();
    run.state = "done-with-errors";
    run.objects = new ObjectCounts(5, 3, 1, 4L, 1, 1000);
    run.triples = new TripleCounts(0L, 74L, 37L);
    run.verification =
        new Verification(false, 2, 2000, List.of("patents:1 has another checksum in stream DS"));
    run.sql(
        "UPDATE totals SET \"count\" = \"count\" + 10, frames_dropped = 2 WHERE stage = 'ingest'");

    RunReport report = run.report();

    assertThat(report.endedWell()).isFalse();
    assertThat(report.problems())
        .extracting(Problem::message)
        .containsExactly(
            "1 object could not be ingested.",
            "1 object of 5: neither ingested nor reported as failed.",
            "Fedora holds 4 objects of this run, but acknowledged 3.",
            "The run folder lacks requests: 3 objects ingested, 1 given up, but requests of only 2 on"
                + " record; latencies cover only those.",
            "37 triples missing: 74 expected, 37 in the triplestore.",
            "Verification: patents:1 has another checksum in stream DS",
            "10 samples lost on the way from the source 'fedora': recorded 18, received 8, dropped"
                + " 0; its sender dropped 2 frames.");
  }

  @Test
  void anObjectThatWasGivenUpDoesNotStandForOneWithoutARequest() throws Exception {
    twoRequests();
    run.state = "done-with-errors";
    run.objects = new ObjectCounts(3, 2, 1, 2L, 2, 2000);

    assertThat(run.report().problems())
        .extracting(Problem::message)
        .contains(
            "The run folder lacks requests: 2 objects ingested, 1 given up, but requests of only 2"
                + " on record; latencies cover only those.");
  }

  @Test
  void countsDroppedSamplesOnceASourceAndNotAsLost() throws Exception {
    twoRequests();
    run.sql("DELETE FROM totals");
    run.totals(6, 6, true);

    RunReport report = run.report();

    assertThat(report.samples().dropped()).isEqualTo(6);
    assertThat(report.samples().lost()).isZero();
    assertThat(report.problems()).extracting(Problem::severity).containsExactly(Severity.NOTE);
  }

  @Test
  void reportsUntimedStagesOncePerSource() throws Exception {
    twoRequests();
    run.sql("UPDATE totals SET traces_dropped = 5, stages_skipped = 1, threads_refused = 7");

    RunReport report = run.report();

    assertThat(report.problems())
        .extracting(Problem::severity, Problem::message)
        .containsExactly(
            tuple(
                Severity.NOTE,
                "1 call not timed because stages were nested too deep: the time counts as self time"
                    + " of the callers."),
            tuple(
                Severity.NOTE,
                "7 threads not recorded because the agent's limit was reached: stages lack the calls"
                    + " on such threads."));
    assertThat(report.samples().sources())
        .extracting(RunReport.Source::tracesDropped)
        .containsExactly(5L);
    assertThat(report.samples().lost()).isZero();
  }

  /** Written before agents counted them. */
  @Test
  void treatsMissingSkipCountsAsZero() throws Exception {
    twoRequests();
    run.sql(
        "UPDATE totals SET traces_dropped = NULL, stages_skipped = NULL, threads_refused = NULL");

    assertThat(run.report().problems()).isEmpty();
  }

  @Test
  void reportsLossAsUnknownWithoutFinalTotals() throws Exception {
    twoRequests();
    run.sql("DELETE FROM totals");

    assertThat(run.report().problems())
        .containsExactly(
            wrong(
                "The source 'fedora' ended without its final totals: its last samples may be"
                    + " missing."));
  }

  @Test
  void saysWhenToReportAgainIfTheAgentStaysConnected() throws Exception {
    twoRequests();
    run.sql("DELETE FROM totals");

    RunReport report = run.report(run.document().toBuilder().profile(null).build(), "big");

    assertThat(report.problems())
        .containsExactly(
            note(
                "The source 'fedora' is still attached, or ended without its final totals: its last"
                    + " samples may be missing. If it was just detached, repeat the report in a"
                    + " minute."));
  }

  @Test
  void reportsARunThatFailedBeforeItsIngest() throws Exception {
    run.sample("ingest", "http-1", 1, 10 * MS, MS, MS);
    run.state = "failed";
    run.failure = new Failure("start", "Fedora did not come up within 120 s", "logs/fedora.log");
    run.phases = List.of(new Phase("provision", 1, 2), new Phase("start", 2, 0));
    run.objects = new ObjectCounts(500, 0, 0, null, 0, 0);

    RunReport report = run.report();

    assertThat(report.speed()).isNull();
    assertThat(report.requests()).isNull();
    assertThat(report.stages().list()).isEmpty();
    assertThat(report.problems())
        .extracting(Problem::message)
        .containsExactly(
            "The run failed at the step 'start': Fedora did not come up within 120 s (log:"
                + " logs/fedora.log)");
  }

  /** The driver was killed: its document is from before the ingest, its requests are there. */
  @Test
  void reportsARunThatWasKilledFromItsRequests() throws Exception {
    twoRequests();
    run.state = "running";
    run.phases = List.of(new Phase("provision", 1, 2));
    run.objects = new ObjectCounts(500, 0, 0, null, 0, 0);

    RunReport report = run.report();

    assertThat(report.objects().ingested()).isEqualTo(2);
    assertThat(report.speed().ingest().nanos()).isEqualTo(52 * MS);
    assertThat(report.stages().requests()).isEqualTo(2);
    assertThat(report.problems().get(0).message()).startsWith("The run has not ended");
    assertThat(report.endedWell()).isFalse();
  }

  @Test
  void doesNotReportARunWithRunningPartsAsKilled() throws Exception {
    twoRequests();
    run.state = "running";
    run.workload = Map.of("shards", "3");

    assertThat(run.report().problems().get(0).message())
        .startsWith("Some parts of the run have not ended (or were killed)");
  }

  @Test
  void reportsAnIngestThatIsStillGoingOn() throws Exception {
    twoRequests();
    run.state = "interrupted";
    run.phases = List.of(new Phase("ingest", 100 * MS, 0));

    RunReport report = run.report();

    assertThat(report.speed().finalFlushIncluded()).isFalse();
    assertThat(report.speed().overall().nanos()).isEqualTo(62 * MS);
    assertThat(report.stages().requests()).isEqualTo(2);
  }

  @Test
  void reportsAMonitoringRunByItsStages() throws Exception {
    twoRequests();
    run.sql("DELETE FROM requests");

    RunReport report = run.monitoringReport();

    assertThat(report.isMonitoringRun()).isTrue();
    assertThat(report.run().name()).isEqualTo("monitoring-2026-11-20-0000000a");
    assertThat(report.speed()).isNull();
    assertThat(report.objects()).isNull();
    assertThat(report.stages().requestNanos()).isEqualTo(40 * MS);
    assertThat(report.problems()).isEmpty();
    assertThat(report.endedWell()).isTrue();
  }

  @Test
  void reportsRequestsWithoutADocumentAsAKilledRun() throws Exception {
    twoRequests();

    RunReport report = run.monitoringReport();

    assertThat(report.isMonitoringRun()).isFalse();
    assertThat(report.speed().ingest().objects()).isEqualTo(2);
    assertThat(report.problems().get(0).message()).startsWith("The run has not ended");
  }

  @Test
  void reportsARunWithNothingInIt() throws Exception {
    run.state = "interrupted";

    RunReport report = run.report();

    assertThat(report.stages().list()).isEmpty();
    assertThat(report.stages().requestNanos()).isZero();
    assertThat(report.samples().received()).isZero();
    assertThat(report.objects()).isNull();
  }

  @Test
  void reportsHowManyIngestsWereTraced() throws Exception {
    twoRequests();
    for (int i = 2; i < 10; i++) {
      run.ingested(i, (10 + i) * MS, MS);
    }
    run.objects = new ObjectCounts(10, 10, 0, null, 0, 10);

    RunReport report = run.report();

    assertThat(report.problems())
        .filteredOn(problem -> problem.severity() == Severity.NOTE)
        .extracting(Problem::message)
        .anyMatch(
            message ->
                message.startsWith("Fedora answered 10 ingests, but the agent timed only 2;"));
  }

  @Test
  void aRunToItsEndWithoutASampleDidNotEndWell() throws Exception {
    run.state = "done";

    RunReport report = run.report();

    assertThat(report.endedWell()).isFalse();
    assertThat(report.problems())
        .contains(
            new RunReport.Problem(
                RunReport.Severity.WRONG,
                "No sample arrived: the report cannot show the stages of Fedora."));
  }

  @Test
  void explainsMissingSamplesOfADriverRun() throws Exception {
    run.state = "done";

    RunReport report = run.report(run.document().toBuilder().profile(null).build(), "big");

    assertThat(report.problems())
        .filteredOn(problem -> problem.message().startsWith("No sample arrived"))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.NOTE);
              assertThat(problem.message())
                  .contains(
                      "use 'stack up' or 'attach' with --name NAME", "ingest --name NAME --join")
                  .contains("see 'fedometer runs list'");
            });
  }

  @Test
  void aMonitoringRunWithoutSamplesDidNotEndWell() throws Exception {
    RunReport report = run.monitoringReport();

    assertThat(report.endedWell()).isFalse();
    assertThat(report.problems())
        .containsExactly(
            new RunReport.Problem(
                RunReport.Severity.WRONG,
                "No sample arrived: the report cannot show the stages of Fedora."));
  }

  @Test
  void reportsUnsealedDataOfARunningRun() throws Exception {
    run.sql(
        "INSERT INTO rollups (stage, count) VALUES ('http.request', 3), ('ingest', 4),"
            + " ('driver.request', 50), ('driver.request.purge', 60)");

    RunReport nothingSealed = run.monitoringReport();
    assertThat(nothingSealed.endedWell()).isTrue();
    assertThat(nothingSealed.problems())
        .containsExactly(
            new RunReport.Problem(
                RunReport.Severity.NOTE,
                "Some data is not sealed yet: this report lacks 7 samples that arrived. Repeat it in a"
                    + " minute."));

    run.sample("http.request", "http-1", 1, 110 * MS, 19 * MS, 3 * MS);
    assertThat(run.monitoringReport().problems().get(0).message()).contains(" 6 samples ");
    run.state = "done";
    assertThat(run.report().problems())
        .noneMatch(problem -> problem.message().contains("not sealed"));
  }

  @Test
  void keepsSharesAtOneWhereSamplesOfRequestsWereDropped() throws Exception {
    twoRequests();
    run.sql("DELETE FROM samples WHERE stage = 'http.request' AND trace = 2");

    RunReport report = run.report();

    // Thread http-2 has no request left, so only the first request's stages count.
    assertThat(report.stages().list().stream().mapToDouble(Stage::share).sum())
        .isLessThanOrEqualTo(1 + 1e-12);
    assertThat(report.stages().requestNanos()).isEqualTo(19 * MS);
  }

  /**
   * Ingest 100 to 200 ms, drain 205 to 250 ms. Request 1 on http-1: 19 ms, of it ingest 16 (own
   * 10), of it validate 6. Request 2 on http-2: 21 ms, of it ingest 18 (own 10, failed), of it
   * validate 8. Two flushes on pool-1 of 20 and 30 ms.
   */
  private void twoRequests() throws Exception {
    run.sample("http.request", "http-1", 1, 110 * MS, 19 * MS, 3 * MS);
    run.sample("ingest", "http-1", 1, 111 * MS, 16 * MS, 10 * MS);
    run.sample("ingest.validate", "http-1", 1, 112 * MS, 6 * MS, 6 * MS);
    run.sample("http.request", "http-2", 2, 140 * MS, 21 * MS, 3 * MS);
    run.sample("ingest", "http-2", 2, 141 * MS, 18 * MS, 10 * MS, true);
    run.sample("ingest.validate", "http-2", 2, 142 * MS, 8 * MS, 8 * MS);
    run.sample("triples.flush", "pool-1", 3, 150 * MS, 20 * MS, 20 * MS);
    run.sample("triples.flush", "pool-1", 4, 206 * MS, 30 * MS, 30 * MS);
    run.totals(0, 0, true);
    run.ingested(0, 110 * MS, 20 * MS);
    run.ingested(1, 140 * MS, 22 * MS);
    run.objects = new ObjectCounts(2, 2, 0, 2L, 2, 2000);
    run.triples = new TripleCounts(10L, 74L, 74L);
    run.verification = new Verification(true, 2, 2000, List.of());
    run.phases =
        List.of(
            new Phase("ingest", 100 * MS, 200 * MS),
            new Phase("drain", 205 * MS, 250 * MS),
            new Phase("verify", 250 * MS, 300 * MS));
  }

  private static Stage stage(RunReport report, String name) {
    return report.stages().list().stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Problem wrong(String message) {
    return new Problem(Severity.WRONG, message);
  }

  private static Problem note(String message) {
    return new Problem(Severity.NOTE, message);
  }
}
