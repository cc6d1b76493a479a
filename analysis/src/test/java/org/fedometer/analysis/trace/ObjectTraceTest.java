package org.fedometer.analysis.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.SQLException;
import org.fedometer.analysis.Golden;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.analysis.trace.ObjectTrace.Choice;
import org.fedometer.analysis.trace.ObjectTrace.Placement;
import org.fedometer.analysis.trace.ObjectTrace.Span;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ObjectTraceTest {

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
  void drawsAnObjectsWay() throws Exception {
    oneObject();
    Golden.assertSame("trace-100.txt", text(new TextStyle(100, true, false)));
  }

  @Test
  void drawsItInAsciiOn80Columns() throws Exception {
    oneObject();
    String text = text(new TextStyle(80, false, false));
    assertThat(text).matches("\\p{ASCII}*");
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    Golden.assertSame("trace-80-ascii.txt", text);
  }

  @Test
  void coloursOnlyIfRequested() throws Exception {
    oneObject();
    assertThat(text(new TextStyle(100, true, true))).contains("\u001b[36m");
    assertThat(text(new TextStyle(100, true, false))).doesNotContain("\u001b");
  }

  @Test
  void isTheSameForPrograms() throws Exception {
    oneObject();
    Golden.assertSame("trace.json", JsonTrace.of(find("patents:1", Choice.NEWEST)) + "\n");
  }

  @Test
  void nestsStagesByTimeWithinTheirThread() throws Exception {
    oneObject();

    ObjectTrace.Attempt attempt = find("patents:1", Choice.NEWEST).attempts().get(0);

    Span request = attempt.stages().get(0);
    assertThat(attempt.stages()).hasSize(1);
    assertThat(request.children()).extracting(Span::stage).containsExactly("ingest");
    assertThat(request.children().get(0).children())
        .extracting(Span::stage)
        .containsExactly("ingest.lock", "ingest.parse", "triples.add");
    assertThat(attempt.otherThreads()).extracting(Span::stage).containsExactly("content.fetch");
    assertThat(attempt.beyondFedoraNanos()).isEqualTo(2 * MS);
  }

  /** The flush before it cannot have had its triples, the one after the next does not need to. */
  @Test
  void findsTheFlushThatFollowedTheObjectsTriples() throws Exception {
    oneObject();

    ObjectTrace.Attempt attempt = find("patents:1", Choice.NEWEST).attempts().get(0);

    assertThat(attempt.later()).hasSize(1);
    assertThat(attempt.later().get(0).startNanos()).isEqualTo(400 * MS);
    assertThat(attempt.later().get(0).children())
        .extracting(Span::stage)
        .containsExactly("triples.write");
  }

  @Test
  void foldsManySiblingsOfOneName() throws Exception {
    run.hosts("a", "a");
    run.ingested(1, 100 * MS, 50 * MS);
    run.trace(7, "patents:1", "", false);
    run.sample("http.request", "http-1", 7, 101 * MS, 48 * MS, 6 * MS);
    for (int i = 0; i < 21; i++) {
      run.sample("index.fields", "http-1", 7, (102 + 2 * i) * MS, 2 * MS, MS);
      run.sample("database.statement", "http-1", 7, (102 + 2 * i) * MS, MS, MS, i == 3);
    }
    for (int i = 0; i < 20; i++) {
      run.sample("pool.acquire", "http-1", 7, 145 * MS + i, 1, 1);
    }

    ObjectTrace trace = find("patents:1", Choice.NEWEST);

    Span request = trace.attempts().get(0).stages().get(0);
    assertThat(request.children()).hasSize(21);
    Span folded = request.children().get(0);
    assertThat(folded.calls()).isEqualTo(21);
    assertThat(folded.durationNanos()).isEqualTo(42 * MS);
    assertThat(folded.endNanos()).isEqualTo(44 * MS);
    assertThat(folded.children()).hasSize(1);
    assertThat(folded.children().get(0).failed()).isEqualTo(1);
    assertThat(TextTrace.of(trace, new TextStyle(100, true, false)))
        .contains("index.fields x 21")
        .contains("database.statement x 21 ✗");
  }

  /** Fedora's clock is 5 s ahead of the driver's; the later exchange with it is the surer one. */
  @Test
  void placesFedoraOnAnotherHostByTheExchangesOfClocks() throws Exception {
    run.hosts("a", "b");
    run.ingested(1, 100 * MS, 20 * MS);
    run.trace(7, "patents:1", "", false);
    run.sample("http.request", "http-1", 7, 5_103 * MS, 15 * MS, 15 * MS);
    clock(TestRun.DRIVER, 100 * MS, 9_000 * MS, 200_000);
    clock(TestRun.AGENT, 5_100 * MS, 4_000 * MS, 300_000);
    clock(TestRun.AGENT, 4_000 * MS, 3_900 * MS, 9_000_000);

    ObjectTrace.Attempt attempt = find("patents:1", Choice.NEWEST).attempts().get(0);

    assertThat(attempt.clock().placement()).isEqualTo(Placement.CLOCK_EXCHANGE);
    assertThat(attempt.clock().uncertaintyNanos()).isEqualTo(500_000);
    assertThat(attempt.stages().get(0).startNanos()).isEqualTo(3 * MS);
    assertThat(text(new TextStyle(200, true, false))).contains("may be off by 500 µs either way");
  }

  @Test
  void drawsFedoraInTheMiddleWhereClocksAreNotKnown() throws Exception {
    run.hosts("a", "b");
    run.ingested(1, 100 * MS, 20 * MS);
    run.trace(7, "patents:1", "", false);
    run.sample("http.request", "http-1", 7, 77_000 * MS, 14 * MS, 14 * MS);

    ObjectTrace.Attempt attempt = find("patents:1", Choice.NEWEST).attempts().get(0);

    assertThat(attempt.clock().placement()).isEqualTo(Placement.CENTRED);
    assertThat(attempt.clock().uncertaintyNanos()).isNull();
    assertThat(attempt.stages().get(0).startNanos()).isEqualTo(3 * MS);
    assertThat(text(new TextStyle(200, true, false))).contains("in the middle of the request");
  }

  @Test
  void showsHowAnObjectCameAndNotHowItWasReadLater() throws Exception {
    run.hosts("a", "a");
    run.request(1, 1, 100 * MS, 20 * MS, 201, "");
    run.trace(7, "patents:1", "", false);
    run.trace(8, "patents:1", "", false);
    run.sql("UPDATE traces SET operation = 'get-object-profile' WHERE trace = 8");
    run.sample("http.request", "http-1", 7, 101 * MS, 15 * MS, 15 * MS);
    run.sample("http.request", "http-1", 8, 201 * MS, 25 * MS, 25 * MS);

    assertThat(find("patents:1", Choice.NEWEST).attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.trace().number()).isEqualTo(7));
    assertThat(find("patents:1", Choice.ALL).attempts()).hasSize(2);
  }

  @Test
  void showsTheIngestAndNotLaterRequests() throws Exception {
    run.hosts("a", "a");
    run.request(1, 1, 100 * MS, 20 * MS, 201, "");
    run.operation("get-dc", 1, 1, 150 * MS, 150 * MS, 4 * MS, 200, "");
    run.operation("purge", 1, 2, 290 * MS, 300 * MS, 30 * MS, 204, "");
    run.sql("UPDATE requests SET traceparent = 'tp-' || operation");
    run.trace(7, "patents:1", "tp-ingest", false);
    run.trace(8, "patents:1", "tp-purge", false);
    run.sql("UPDATE traces SET operation = 'purge-object' WHERE trace = 8");
    run.sample("http.request", "http-1", 7, 101 * MS, 15 * MS, 15 * MS);
    run.sample("http.request", "http-1", 8, 301 * MS, 25 * MS, 25 * MS);

    for (Choice ingest : new Choice[] {Choice.NEWEST, new Choice(false, 1)}) {
      assertThat(find("patents:1", ingest).attempts())
          .singleElement()
          .satisfies(attempt -> assertThat(attempt.trace().number()).isEqualTo(7));
    }
    assertThatThrownBy(() -> find("patents:1", new Choice(false, 2)))
        .hasMessageEndingWith("there are: 1");
    ObjectTrace all = find("patents:1", Choice.ALL);
    assertThat(all.attempts())
        .extracting(attempt -> attempt.request().operation())
        .containsExactly("ingest", "get-dc", "purge");
    assertThat(all.attempts().get(2).trace().number()).isEqualTo(8);
    assertThat(TextTrace.of(all, new TextStyle(100, true, false)))
        .contains(
            "Attempt 1 (ingest): HTTP status 201",
            "Attempt 1 (get-dc): HTTP status 200",
            "Attempt 2 (purge): HTTP status 204 after 30.0 ms, sent 10.0 ms late");
    JsonNode purge = new ObjectMapper().readTree(JsonTrace.of(all)).at("/attempts/2/request");
    assertThat(purge.at("/operation").asText()).isEqualTo("purge");
    assertThat(purge.at("/lateMicros").asLong()).isEqualTo(10_000);
  }

  @Test
  void aRequestForTwoObjectsBelongsToBoth() throws Exception {
    run.hosts("a", "a");
    run.request(0, 1, 50 * MS, 20 * MS, 201, "");
    run.request(7, 1, 100 * MS, 20 * MS, 201, "");
    run.request(8, 1, 200 * MS, 20 * MS, 201, "");
    run.operation("add-relationship", 7, 1, 130 * MS, 130 * MS, 4 * MS, 200, "");
    run.operation("add-relationship", 8, 1, 230 * MS, 230 * MS, 4 * MS, 200, "");
    run.sql("UPDATE requests SET pid = 'patents:0' WHERE operation = 'add-relationship'");

    assertThat(find("patents:7", Choice.ALL).attempts())
        .extracting(attempt -> attempt.request().operation())
        .containsExactly("ingest", "add-relationship");
    assertThat(find("patents:7", Choice.NEWEST).notShown())
        .containsExactly(entry("add-relationship", 1));
    ObjectTrace parent = find("patents:0", Choice.NEWEST);
    assertThat(parent.attempts()).hasSize(1);
    assertThat(TextTrace.of(parent, new TextStyle(100, true, false)))
        .contains("Not shown: 2 add-relationship; --all-attempts shows them.");
    assertThat(new ObjectMapper().readTree(JsonTrace.of(parent)).at("/notShown/add-relationship"))
        .hasToString("2");
    assertThat(find("patents:0", Choice.ALL).notShown()).isEmpty();
    assertThat(TextTrace.of(find("patents:0", Choice.ALL), new TextStyle(100, true, false)))
        .doesNotContain("Not shown");
  }

  @Test
  void showsOtherRequestsWhereNoIngestIsOnRecord() throws Exception {
    run.hosts("a", "a");
    run.operation("purge", 1, 1, 300 * MS, 300 * MS, 30 * MS, 0, "no answer");
    run.operation("purge", 1, 2, 400 * MS, 400 * MS, 30 * MS, 204, "");
    run.trace(8, "patents:1", "", false);

    assertThat(find("patents:1", new Choice(false, 2)).attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.request().status()).isEqualTo(204));
    assertThat(find("patents:1", Choice.ALL).attempts())
        .as("an ingest in Fedora belongs to no purge")
        .hasSize(3);
  }

  @Test
  void showsTheNewestAttemptByDefault() throws Exception {
    run.hosts("a", "a");
    run.request(1, 1, 100 * MS, 20 * MS, 500, "boom");
    run.request(1, 2, 200 * MS, 30 * MS, 0, "no answer");
    run.sql("UPDATE requests SET traceparent = 'tp-' || attempt");
    run.trace(8, "", "tp-2", true);
    run.trace(7, "patents:1", "tp-1", true);
    run.sample("http.request", "http-1", 7, 101 * MS, 15 * MS, 15 * MS);
    run.sample("http.request", "http-1", 8, 201 * MS, 25 * MS, 25 * MS, true);

    assertThat(find("patents:1", Choice.NEWEST).attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.trace().number()).isEqualTo(8));
    assertThat(find("patents:1", new Choice(false, 1)).attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.trace().number()).isEqualTo(7));
    ObjectTrace all = find("patents:1", Choice.ALL);
    assertThat(all.attempts()).extracting(a -> a.request().number()).containsExactly(1, 2);
    assertThat(TextTrace.of(all, new TextStyle(100, true, false)))
        .contains(
            "Attempt 1 (ingest): HTTP status 500",
            "boom",
            "Attempt 2 (ingest): no answer",
            "http.request ✗");
    assertThatThrownBy(() -> find("patents:1", new Choice(false, 3)))
        .hasMessage("The run calm-heron has no attempt 3 of patents:1; there are: 1, 2");
  }

  @Test
  void showsWhatFedoraSawWhereNoRequestIsOnRecord() throws Exception {
    run.trace(7, "patents:1", "", true);
    run.sample("http.request", "http-1", 7, 100 * MS, 10 * MS, 10 * MS);

    assertThat(text(new TextStyle(100, true, false)))
        .contains("no request of it is on record; it failed")
        .doesNotContain("beyond Fedora")
        .doesNotContain("null");
  }

  /** Under overload the thread that sent the answer waits for a processor before it ends. */
  @Test
  void showsWorkAfterTheResponse() throws Exception {
    run.hosts("a", "a");
    run.ingested(1, 100 * MS, 50 * MS);
    run.trace(7, "patents:1", "", false);
    run.sample("http.request", "http-1", 7, 101 * MS, 341 * MS, 341 * MS);

    assertThat(find("patents:1", Choice.NEWEST).attempts().get(0).beyondFedoraNanos())
        .isEqualTo(-291 * MS);
    assertThat(text(new TextStyle(100, true, false)))
        .containsPattern("in Fedora after the answer +291 ms")
        .doesNotContain("beyond Fedora")
        .doesNotContain("-291");
  }

  @Test
  void showsTheRequestWhereNothingIsOnRecordInsideFedora() throws Exception {
    run.ingested(1, 100 * MS, 20 * MS);

    assertThat(text(new TextStyle(100, true, false)))
        .contains("No record of it from inside Fedora", "client request")
        .doesNotContain("null");
    JsonNode json = new ObjectMapper().readTree(JsonTrace.of(find("patents:1", Choice.NEWEST)));
    assertThat(json.at("/attempts/0/trace").isNull()).isTrue();
    assertThat(json.at("/attempts/0/clock").asText()).isEqualTo("alone");
  }

  @Test
  void namesTheNearestObjectsWhereThereIsNoSuchOne() throws Exception {
    for (int i = 10; i < 30; i++) {
      run.ingested(i, i * MS, MS);
    }
    assertThatThrownBy(() -> find("patent:12", Choice.NEWEST))
        .isInstanceOf(NoSuchObjectException.class)
        .hasMessage(
            "The run calm-heron has no object patent:12 among its 20; nearest:"
                + " patents:12, patents:10, patents:11, patents:13, patents:14;"
                + " 'fedometer runs query \"SELECT DISTINCT pid FROM requests\" --run calm-heron' lists all");
  }

  @Test
  void reportsARunWithoutObjects() {
    assertThatThrownBy(() -> find("x:1", Choice.NEWEST))
        .hasMessage(
            "The run calm-heron has no objects on record, so none with the PID x:1;"
                + " see 'fedometer report calm-heron'");
  }

  @Test
  void makesHostileTextHarmless() throws Exception {
    run.hosts("a", "a");
    run.ingested(1, 100 * MS, 20 * MS);
    run.trace(7, "patents:1", "", false);
    run.sample("evil\u001b[2J", "http-1", 7, 101 * MS, 5 * MS, 5 * MS);
    run.log(102 * MS, "WARN\u001b", 7, "one\r\ntwo\u001b[2J\u202e", "at\ta\u0007");

    assertThat(text(new TextStyle(100, true, false)))
        .doesNotContain("\u001b", "\u202e", "\u0007", "\r")
        .contains("evil?[2J", "two\\u001b[2J\\u202e", "at    a\\u0007");
  }

  @Test
  void findsAnObjectWhosePidIsAnyText() throws Exception {
    String pid = "a'; DROP TABLE requests; --%\"\u001b[2J\u202e\n?";
    run.ingested(1, 100 * MS, 20 * MS);
    run.ingested(2, 130 * MS, 20 * MS);
    run.trace(7, pid, "", false);
    run.sql("UPDATE requests SET pid = '" + pid.replace("'", "''") + "' WHERE object_index = 1");

    ObjectTrace trace = find(pid, Choice.NEWEST);

    assertThat(trace.attempts()).hasSize(1);
    assertThat(TextTrace.of(trace, new TextStyle(100, true, false)))
        .contains("a'; DROP TABLE requests; --%\"")
        .doesNotContain("\u001b", "\u202e");
    assertThat(new ObjectMapper().readTree(JsonTrace.of(trace)).at("/pid").asText()).isEqualTo(pid);
    assertThatThrownBy(() -> find("a' OR '1' = '1", Choice.NEWEST))
        .isInstanceOf(NoSuchObjectException.class);
    assertThat(find("patents:2", Choice.NEWEST).attempts()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 200})
  void neverWritesBeyondTheTerminal(int columns) throws Exception {
    oneObject();
    run.log(
        106 * MS,
        "ERROR",
        7,
        "Error attempting FieldSearch update of an object: Connection refused. " + "x".repeat(150),
        "java.io.IOException: " + "y ".repeat(90) + "\n\tat a.B.c(B.java:1)");
    ObjectTrace trace =
        ObjectTrace.of(
            "20261121-085804-mptstore-postgresql-patents-ab12",
            "patents:1",
            Choice.NEWEST,
            run.query());

    String text = TextTrace.of(trace, new TextStyle(columns, true, false));

    assertThat(text.lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
    assertThat(text).contains("20261121-085804-mptstore-postgresql-patents-ab12");
  }

  @Test
  void aSlowIngestWithoutAPidDoesNotClaimTheTraceOfNoObject() throws Exception {
    run.hosts("a", "a");
    run.ingested(1, 100 * MS, 20 * MS);
    run.sql("UPDATE requests SET pid = ''");
    run.trace(7, "", "", false);
    run.sample("http.request", "http-1", 7, 101 * MS, 18 * MS, 18 * MS);

    try (Query query = run.query()) {
      assertThat(SlowIngest.of(query, 1))
          .singleElement()
          .extracting(slow -> slow.attempt().trace())
          .isNull();
    }
  }

  /**
   * A request of 20 ms, 18 of them in Fedora on the same host, with a second thread, a failed
   * stage, a log line, and flushes before and after.
   */
  private void oneObject() throws Exception {
    run.hosts("a", "a");
    run.ingested(1, 100 * MS, 20 * MS);
    run.ingested(2, 130 * MS, 20 * MS);
    run.trace(7, "patents:1", "", false);
    run.trace(8, "patents:2", "", false);
    run.sample("http.request", "http-1", 7, 101 * MS, 18 * MS, 3 * MS);
    run.sample("ingest", "http-1", 7, 102 * MS, 15 * MS, 3 * MS);
    run.sample("ingest.lock", "http-1", 7, 102 * MS, MS / 100, MS / 100);
    run.sample("ingest.parse", "http-1", 7, 103 * MS, 6 * MS, 6 * MS, true);
    run.sample("triples.add", "http-1", 7, 110 * MS, 5 * MS, 5 * MS);
    run.sample("content.fetch", "fetch-1", 7, 104 * MS, 2 * MS, 2 * MS);
    run.sample("http.request", "http-1", 8, 131 * MS, 18 * MS, 18 * MS);
    for (long start : new long[] {50, 500, 900}) {
      run.sample("triples.flush", "pool-1", start, start * MS, 30 * MS, 5 * MS);
      run.sample("triples.write", "pool-1", start, (start + 1) * MS, 25 * MS, 25 * MS);
    }
    run.log(105 * MS, "WARN", 7, "slow disk", "java.io.IOException: slow\n\tat a.B.c(B.java:1)");
    run.log(140 * MS, "WARN", 8, "of another object", "");
  }

  private void clock(String source, long at, long offset, long uncertainty) throws SQLException {
    run.sql(
        "INSERT INTO clocks VALUES ('%s', %d, %d, %d, 'collector')"
            .formatted(source, at, offset, uncertainty));
  }

  private String text(TextStyle style) throws Exception {
    return TextTrace.of(find("patents:1", Choice.NEWEST), style);
  }

  private ObjectTrace find(String pid, Choice choice) throws Exception {
    return ObjectTrace.of("calm-heron", pid, choice, run.query());
  }
}
