package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.Golden;
import org.fedometer.analysis.SampleLoad;
import org.fedometer.analysis.SampleRun;
import org.fedometer.analysis.TestRun;
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

class TextReportTest {

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
  void reportsARunThatEndedWell() throws Exception {
    SampleRun.fill(run);
    Golden.assertSame("done-120.txt", text(120));
  }

  @Test
  void fitsATerminalOf80ColumnsInAscii() throws Exception {
    SampleRun.fill(run);
    String text = TextReport.of(run.report(), new TextStyle(80, false, false));
    assertThat(text).matches("\\p{ASCII}*");
    Golden.assertSame("done-80-ascii.txt", text);
  }

  @Test
  void putsProblemsFirst() throws Exception {
    SampleRun.fill(run);
    problems();
    Golden.assertSame("problems-100.txt", text(100));
  }

  @Test
  void namesTheReasonWhyTriplesWereNotCounted() throws Exception {
    SampleRun.fill(run);
    run.state = "interrupted";
    run.triples = new TripleCounts(0L, 11_100L, null);
    assertThat(text(120)).contains("11,100 expected, not counted: the run was interrupted");
    run.verification =
        new Verification(
            false, 0, 0, List.of("The triples could not be counted: connection refused"));
    assertThat(text(120)).contains("11,100 expected, could not be counted; see the problems");
  }

  @Test
  void callsNotesThatIfThereAreNoProblems() throws Exception {
    SampleRun.fill(run);
    run.notes = List.of("Time stamps are assumed to be the starts of requests.");
    assertThat(text(120)).contains("\nNotes\n").doesNotContain("Problems");
    problems();
    assertThat(text(120)).contains("\nProblems\n").doesNotContain("\nNotes\n");
  }

  @Test
  void neverWritesBeyondTheTerminal() throws Exception {
    SampleRun.fill(run);
    problems();
    run.name = "20261121-085804-mptstore-postgresql-patents-ab12";
    for (String text : fitting(60, 72, 80, 90, 100, 120, 132, 200)) {
      assertThat(text).startsWith("Run " + run.name).contains("300 of 303 objects");
    }
  }

  @Test
  void reportsStatementsAddedToOtherObjects() throws Exception {
    SampleRun.fill(run);
    assertThat(text(100)).doesNotContain("to other objects");

    run.statements = new RunDocument.StatementCounts(1_299, 0);
    assertThat(text(100)).contains("✓ added     1,299 statements to other objects, 0 failed");
    run.statements = new RunDocument.StatementCounts(58, 1);
    assertThat(text(100)).contains("✗ added     58 statements to other objects, 1 failed");
  }

  @Test
  void showsOtherOperationsAndResponseTimes() throws Exception {
    SampleRun.fill(run);
    otherOperations();
    Golden.assertSame("operations-100.txt", text(100));
  }

  @Test
  void showsThatOnNarrowTerminalsToo() throws Exception {
    SampleRun.fill(run);
    otherOperations();
    run.operation("x".repeat(64), 1, 1, 0, 100_000 * MS, 77 * MS, 200, "");
    for (String text : fitting(60, 72, 80, 100)) {
      assertThat(text).contains("Operations", "risearch");
    }
  }

  @Test
  void showsTheStepsOfARamp() throws Exception {
    SampleRun.fill(run);
    run.load = SampleLoad.ramp();
    Golden.assertSame("steps-100.txt", text(100));
  }

  @Test
  void countsTheReadsOfASweepAndNotTheObjectsThatItDoesNotIngest() throws Exception {
    SampleRun.fill(run);
    run.load = SampleLoad.readSweep();
    assertThat(text(100))
        .contains("operations/s")
        .containsPattern("1 +5\\.0 +720 +144\\S* +0")
        .containsPattern("3 +get-datastream +539 +10[78]\\S* +0");
  }

  @Test
  void reportsARampWithoutALimit() throws Exception {
    SampleRun.fill(run);
    run.load = SampleLoad.rampWithoutLimit();
    assertThat(text(100))
        .contains("Highest clean rate: 20.0 objects a second; no limit was reached.");
  }

  @Test
  void showsAStepWithoutAnOutcome() throws Exception {
    SampleRun.fill(run);
    run.load =
        new RunDocument.Load(
            null,
            null,
            List.of(new RunDocument.LoadStep(null, 64, 20.0, 1, 2, 200, 3_998, 0, 0, null, null)),
            List.of(),
            List.of());
    assertThat(text(100)).contains("Steps", "3,998");
  }

  @Test
  void showsStepsOnNarrowTerminalsToo() throws Exception {
    SampleRun.fill(run);
    run.load = SampleLoad.ramp();
    for (String text : fitting(60, 72, 80, 100)) {
      assertThat(text).contains("Steps", "not held", "Highest clean rate: 40.0");
    }

    run.load = SampleLoad.readSweep();
    assertThat(fitting(60, 72, 80, 100))
        .allSatisfy(text -> assertThat(text).contains("get-datastream"));
  }

  @Test
  void leavesPausesOutOfTheRates() throws Exception {
    SampleRun.fill(run);
    double before = run.report().speed().ingest().objectsPerSecond();
    long start =
        run.phases.stream()
            .filter(p -> p.name().equals("ingest"))
            .findFirst()
            .orElseThrow()
            .startNanos();
    long half = run.report().speed().ingest().nanos() / 2;

    run.load = SampleLoad.paused(start, start + half);

    assertThat(run.report().speed().ingest().objectsPerSecond())
        .isCloseTo(2 * before, within(0.01 * before));
    assertThat(text(100)).contains("paused", "1 time").doesNotContain("Steps");
  }

  @Test
  void omitsResponseTimesIfNoRequestWasLate() throws Exception {
    SampleRun.fill(run);
    run.operation("purge", 1, 1, 100_000 * MS, 100_000 * MS, 3 * MS, 204, "");
    assertThat(text(100))
        .contains("Operations", "closed model of 4 workers")
        .doesNotContain("response times")
        .doesNotContain(" late ");
  }

  @Test
  void showsResponseTimesOfIngestsAloneWhereAnyWasLate() throws Exception {
    SampleRun.fill(run);
    run.sql(
        "UPDATE requests SET intended_start_nanos = start_nanos - 1000000 WHERE object_index = 7");
    assertThat(text(100))
        .containsPattern("ingest +300 +0 +1 ")
        .contains("response times, from the intended start of a request")
        .doesNotContain("closed model");
  }

  /** Searches at a rate of their own, more and more late, and purges as the workers find time. */
  private void otherOperations() throws SQLException {
    for (int i = 0; i < 40; i++) {
      long intendedStart = 100_000 * MS + i * 20 * MS;
      run.operation(
          "risearch", i, 1, intendedStart, intendedStart + i * MS, (5 + i % 7) * MS, 200, "");
    }
    for (int i = 0; i < 12; i++) {
      long start = 100_100 * MS + i * 30 * MS;
      String message = i == 5 ? "patents:5 is locked" : "";
      run.operation("purge", i, 1, start, start, (8 + i) * MS, i == 5 ? 409 : 204, message);
    }
  }

  @Test
  void putsTheOutcomeBelowALongName() throws Exception {
    SampleRun.fill(run);
    run.name = "n".repeat(100);
    assertThat(text(60).lines())
        .startsWith(
            "Run", "n".repeat(60), "n".repeat(40), "  ended well: 300 of 300 objects ingested");
  }

  @Test
  void coloursNothingButWhatItWroteWithout() throws Exception {
    SampleRun.fill(run);
    problems();
    String coloured = TextReport.of(run.report(), new TextStyle(100, true, true));
    assertThat(coloured).contains("\u001b[");
    assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "").lines().map(String::stripTrailing))
        .containsExactlyElementsOf(text(100).lines().toList());
  }

  @Test
  void showsACommitAsGitDoes() throws Exception {
    SampleRun.fill(run);
    run.moreVersions =
        Map.of("fedometer.gitCommit", "0123456789abcdef0123456789abcdef01234567-dirty");
    assertThat(text(120)).contains("gitCommit 0123456789ab-dirty").doesNotContain("abcdef");
  }

  @Test
  void readsWellForARunThatFailedEarly() throws Exception {
    run.state = "failed";
    run.failure = new Failure("start", "Fedora did not come up within 120 s.", "logs/fedora.log");
    run.phases = List.of(new Phase("provision", 1, 3_000 * MS), new Phase("start", 2, 0));
    run.objects = new ObjectCounts(500, 0, 0, null, 0, 0);
    run.triples = new TripleCounts(null, null, null);
    Golden.assertSame("failed-100.txt", text(100));
  }

  @Test
  void reportsAMonitoringRun() throws Exception {
    SampleRun.fill(run);
    run.sql("DELETE FROM requests");
    String text = TextReport.of(run.monitoringReport(), new TextStyle(100, true, false));
    assertThat(text).doesNotContain("null").doesNotContain("Throughput and latency");
    assertThat(text).startsWith("Monitoring monitoring-2026-11-20-0000000a");
    assertThat(text).contains("ingest.validate.schematron");
  }

  /** As with MPTStore past its safe capacity: some flushes run on the thread of a request. */
  @Test
  void marksStagesThatRanInAndOutsideRequests() throws Exception {
    run.phases = List.of(new Phase("ingest", 1, 100 * MS));
    run.sample("http.request", "http-1", 1, 1 * MS, 10 * MS, 4 * MS);
    run.sample("triples.flush", "http-1", 1, 2 * MS, 6 * MS, 6 * MS);
    run.sample("triples.flush", "pool-1", 2, 3 * MS, 90 * MS, 90 * MS);
    assertThat(text(100))
        .contains("Where the time goes: 10.0 ms in 1 request inside Fedora")
        .containsPattern("triples.flush +2 +96.0 ms +96.0 ms +60.0 %")
        .contains("Some calls of triples.flush (1 of 2) ran outside the requests");
  }

  @Test
  void reportsARunThatNeverSettled() throws Exception {
    run.sql(
        """
        INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, i * 30000000,
          (CASE WHEN i < 400 THEN 30 ELSE 10 END) * 1000000, 201, 1, '', 'ingest', i * 30000000
        FROM range(500) t(i)""");
    run.phases = List.of(new Phase("ingest", 0, 15_000 * MS));
    assertThat(text(100))
        .contains("The run has not settled")
        .contains("first half")
        .contains("second half");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 99, 100})
  void copesWithFewRequests(int requests) throws Exception {
    run.sql(
        "INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, i, 5, 201, 1, '', 'ingest', i"
            + " FROM range("
            + requests
            + ") t(i)");
    run.phases = List.of(new Phase("ingest", 0, 15_000 * MS));
    assertThat(text(80)).doesNotContain("NaN").doesNotContain("null").doesNotContain("Infinity");
  }

  @Test
  void makesHostileTextHarmless() throws Exception {
    run.request(0, 1, 5, 5, 500, "\u001b[2Jboom\r\n\u202eevil\u0007 \ud83d\ude00 é");
    run.phases = List.of(new Phase("ingest", 0, 100));
    assertThat(text(100)).contains("?[2Jboom ?evil? \ud83d\ude00 é").doesNotContain("\u001b");
    assertThat(TextReport.of(run.report(), new TextStyle(100, false, false)))
        .contains("?[2Jboom ?evil? ? ?");
  }

  @Test
  void refusesATerminalTooNarrowForATable() {
    assertThatThrownBy(() -> new TextStyle(20, true, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("columns is 20, a report needs at least 60");
    assertThat(TextStyle.of(20, StandardCharsets.ISO_8859_1, false))
        .isEqualTo(new TextStyle(60, false, false));
    assertThat(TextStyle.of(90, StandardCharsets.UTF_8, true))
        .isEqualTo(new TextStyle(90, true, true));
  }

  private void problems() throws SQLException {
    run.state = "done-with-errors";
    run.objects = new ObjectCounts(303, 300, 3, 300L, 49, 6_144_000);
    run.triples = new TripleCounts(117L, 11_100L, 10_100L);
    run.verification =
        new Verification(
            false,
            50,
            1_024_000,
            List.of("patents:17, stream DS: SHA-256 differs from what was sent"));
    for (int i = 0; i < 3; i++) {
      for (int attempt = 1; attempt <= 2; attempt++) {
        run.request(
            300 + i,
            attempt,
            100_500 * MS + i,
            20 * MS,
            500,
            "org.fcrepo.server.errors.StorageDeviceException: Error attempting FieldSearch update of"
                + " patents:"
                + (300 + i)
                + ": Connection refused. Check that the hostname and port are correct and that the"
                + " postmaster is accepting TCP/IP connections.");
      }
    }
    run.sql("UPDATE samples SET failed = true WHERE stage = 'index.fields' AND trace < 4");
    run.sql("UPDATE totals SET samples_dropped = 12, stages_skipped = 1200, threads_refused = 1");
    run.sql("UPDATE totals SET \"count\" = \"count\" + 12 WHERE stage = 'ingest.parse'");
  }

  /** The report for terminals of so many columns, in Unicode and in ASCII; no line is wider. */
  private List<String> fitting(int... terminals) throws Exception {
    RunReport report = run.report();
    List<String> texts = new ArrayList<>();
    for (int columns : terminals) {
      for (boolean unicode : new boolean[] {true, false}) {
        String text = TextReport.of(report, new TextStyle(columns, unicode, false));
        assertThat(text.lines())
            .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
        texts.add(text);
      }
    }
    return texts;
  }

  private String text(int columns) throws Exception {
    return TextReport.of(run.report(), new TextStyle(columns, true, false));
  }
}
