package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stages of real Fedoras: each one's number of calls for the same object, their sums, the operation
 * of each kind of request, and that delays appear in the slow stage.
 */
@Tag("fedora")
@Isolated("has two stacks at a time already")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StagesIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);

  /** A new connection is a matter of time: the pool may have closed an idle one. */
  private static final String NOT_COUNTED = "pool.connect";

  /** Two at a time: a stack that starts waits more than it works. */
  private static final int AT_ONCE = 2;

  /** Their tables keep each literal in an index. */
  private static final Set<Pair> THAT_LOSE_TRIPLES = EnumSet.of(Pair.MPTSTORE_38, Pair.MPTSTORE_35);

  /** All, instead of a cover: both triplestores on every database, under both Fedoras. */
  private static final boolean ALL = Boolean.getBoolean("fedometer.allProfiles");

  /**
   * Pairs of triplestore and database. The first four cover both triplestores, both low-level
   * stores, both Fedoras, and two databases.
   */
  enum Pair {
    MPTSTORE_38("mptstore-postgresql"),
    MULGARA_38("mulgara-derby", "lowlevel=legacy-fs"),
    MPTSTORE_35("mptstore-postgresql", "fedora=3.5", "jvm=25", "lowlevel=legacy-fs"),
    MULGARA_35("mulgara-derby", "fedora=3.5", "jvm=25"),
    MPTSTORE_38_DERBY(MPTSTORE_38, "mptstore-derby"),
    MPTSTORE_38_MYSQL(MPTSTORE_38, "mptstore-mysql"),
    MPTSTORE_38_MARIADB(MPTSTORE_38, "mptstore-mariadb"),
    MULGARA_38_POSTGRESQL(MULGARA_38, "mulgara-postgresql"),
    MULGARA_38_MYSQL(MULGARA_38, "mulgara-mysql"),
    MULGARA_38_MARIADB(MULGARA_38, "mulgara-mariadb"),
    MPTSTORE_35_DERBY(MPTSTORE_35, "mptstore-derby"),
    MPTSTORE_35_MYSQL(MPTSTORE_35, "mptstore-mysql"),
    MPTSTORE_35_MARIADB(MPTSTORE_35, "mptstore-mariadb"),
    MULGARA_35_POSTGRESQL(MULGARA_35, "mulgara-postgresql"),
    MULGARA_35_MYSQL(MULGARA_35, "mulgara-mysql"),
    MULGARA_35_MARIADB(MULGARA_35, "mulgara-mariadb");

    /** Whose golden list is this one's, too. */
    final Pair golden;

    final String profile;
    final List<String> changes;

    Pair(String profile, String... changes) {
      this.golden = this;
      this.profile = profile;
      this.changes = List.of(changes);
    }

    Pair(Pair golden, String profile) {
      this.golden = golden;
      this.profile = profile;
      this.changes = golden.changes;
    }

    String run() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static List<Pair> pairs() {
    return Stream.of(Pair.values()).filter(pair -> ALL || pair.golden == pair).toList();
  }

  private final Map<Pair, Fedometer> fedometers = new TreeMap<>();
  private final Map<Pair, Throwable> failures = new TreeMap<>();

  @BeforeAll
  void sendRequests(@TempDir Path folder) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    Map<Pair, Future<?>> works = new LinkedHashMap<>();
    for (Pair pair : pairs()) {
      Path stackFolder = Files.createDirectory(folder.resolve(pair.run()));
      fedometers.put(pair, new Fedometer(stackFolder));
      works.put(pair, pool.submit(() -> work(pair, stackFolder.resolve("home"))));
    }
    for (Map.Entry<Pair, Future<?>> work : works.entrySet()) {
      try {
        work.getValue().get();
      } catch (ExecutionException e) {
        failures.put(work.getKey(), e.getCause());
      }
    }
    pool.shutdown();
  }

  private Void work(Pair pair, Path home) throws Exception {
    Fedometer fedometer = fedometers.get(pair);
    Fedometer.Call collector = fedometer.startWithStore("collect", "--listen", "127.0.0.1:0");
    try {
      List<String> up =
          new ArrayList<>(
              List.of(
                  "stack",
                  "up",
                  "--profile",
                  pair.profile,
                  "--home",
                  home.toString(),
                  "--no-agent"));
      up.addAll(List.of("--set", Fedometer.QUICK_COMPILER));
      pair.changes.forEach(change -> up.addAll(List.of("--set", change)));
      Fedometer.Call started = fedometer.startWithStore(up.toArray(String[]::new)).await(TIMEOUT);
      if (started.err().contains("This machine has no Java")) {
        throw new NoSuchJava(started.err());
      }
      started.expect(ExitCode.DONE);
      JsonNode stack = fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0);
      String pid = stack.get("pid").asText();
      attach(fedometer, pid, collector.address(), pair);
      try (StageRequests fedora = StageRequests.of(stack, home.resolve("fedora"))) {
        fedora.ingestsGoldenObjects();
        fedora.servesRequestsOfEachKind();
        if (pair == Pair.MPTSTORE_38) {
          fedora.waitsForASlowValidator();
          fedora.waitsForSlowContent();
          fedora.waitsForTheTableOfPids();
          fedora.waitsForTheTablesOfTriples();
        } else if (pair == Pair.MPTSTORE_35) {
          fedora.waitsForASlowClientThatHoldsTheLock();
        }
        fedora.refusesABrokenObject();
        if (THAT_LOSE_TRIPLES.contains(pair)) {
          fedora.losesTriples();
        }
      }
      fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.DONE);
      return null;
    } finally {
      fedometer.start("stack", "down", "--home", home.toString(), "--delete").await(TIMEOUT);
      collector.process().destroy();
      collector.await(TIMEOUT);
    }
  }

  private static void attach(Fedometer fedometer, String pid, String collector, Pair pair)
      throws Exception {
    JsonNode attached =
        fedometer
            .start("attach", pid, "--collector", collector, "--name", pair.run(), "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    assertThat(attached.get("stages"))
        .filteredOn(stage -> stage.get("state").asText().equals("failed"))
        .isEmpty();
    assertThat(attached.get("captures"))
        .filteredOn(capture -> !capture.get("state").asText().equals("woven"))
        .extracting(capture -> capture.get("capture").asText())
        .isSubsetOf("log4j-events");
  }

  @AfterAll
  void nothingIsLeft() {
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () ->
                assertThat(fedometers.values())
                    .allMatch(fedometer -> fedometer.processesLeft().isEmpty()));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void stageCountsMatchTheGoldenFile(Pair pair) throws Exception {
    awaitRequests(pair);
    Map<String, Integer> golden = golden(pair);
    for (String object : StageRequests.GOLDEN_PIDS) {
      Map<String, Integer> calls = new TreeMap<>();
      for (JsonNode row :
          rows(
              pair,
              "SELECT stage, count(*) AS calls FROM samples JOIN traces USING (source, trace)"
                  + " WHERE operation = 'ingest' AND pid = '"
                  + object
                  + "' GROUP BY stage")) {
        calls.put(row.get("stage").asText(), row.get("calls").asInt());
      }
      calls.remove(NOT_COUNTED);
      assertThat(calls).as("%s, as it is: %s", pair.run(), calls).isEqualTo(golden);
    }
  }

  /** Databases differ only in this: Fedora does not test connections to an embedded Derby. */
  private static Map<String, Integer> golden(Pair pair) throws IOException {
    Map<String, Integer> golden = GoldenStages.of(pair.golden.run());
    if (pair.profile.endsWith("-derby")) {
      golden.remove("pool.test");
    } else {
      golden.put("pool.test", golden.get("pool.acquire") + golden.get("pool.release"));
    }
    return golden;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void stagesAddUpAndHardlyAnyOfTheMedianRequestIsInNone(Pair pair) throws Exception {
    awaitRequests(pair);
    JsonNode sums =
        rows(
                pair,
                // The median: one request that waits for a processor in http.request says nothing.
                "SELECT count(*) FILTER (own <> total) AS wrong, median(root_own / total) AS"
                    + " unnamed FROM (SELECT sum(self_nanos) AS own,"
                    + " sum(duration_nanos) FILTER (stage = 'http.request') AS total,"
                    + " sum(self_nanos) FILTER (stage = 'http.request') AS root_own"
                    + " FROM samples JOIN traces USING (source, trace)"
                    + " WHERE operation = 'ingest' GROUP BY source, trace)")
            .get(0);
    assertThat(sums.get("wrong").asInt()).as("traces that do not add up").isZero();
    assertThat(sums.get("unnamed").asDouble()).isLessThan(0.05);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void requestsHaveOperationPidAndOutcome(Pair pair) throws Exception {
    awaitRequests(pair);
    List<String> operations = new ArrayList<>();
    for (JsonNode row :
        rows(
            pair,
            "SELECT DISTINCT operation, coalesce(pid, '') AS pid, failed FROM traces"
                + " WHERE root_stage = 'http.request' AND operation <> 'ingest'"
                + " AND (coalesce(pid, '') = '' OR pid LIKE 'kinds:%')")) {
      operations.add(
          (row.get("operation").asText()
                  + " "
                  + row.get("pid").asText()
                  + (row.get("failed").asBoolean() ? " failed" : ""))
              .strip());
    }
    assertThat(new TreeSet<>(operations)).containsAll(StageRequests.OPERATIONS);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void requestsBySoapAndCallsOfMethodsAreSeen(Pair pair) throws Exception {
    awaitRequests(pair);
    List<String> stages = new ArrayList<>();
    for (JsonNode row :
        rows(
            pair,
            "SELECT DISTINCT stage, operation, pid FROM samples JOIN traces USING (source, trace)"
                + " WHERE stage IN ('soap.ingest', 'soap.operation', 'rest.methods',"
                + " 'read.dissemination', 'servlet.access')")) {
      stages.add(
          "%s of %s %s"
              .formatted(
                  row.get("stage").asText(), row.get("operation").asText(), row.get("pid").asText())
              .strip());
    }
    assertThat(stages)
        .containsExactlyInAnyOrder(
            "soap.ingest of ingest kinds:soap",
            "soap.operation of purge-object kinds:soap",
            "rest.methods of list-methods kinds:a",
            "rest.methods of get-dissemination kinds:a",
            "read.dissemination of get-dissemination kinds:a",
            "servlet.access of describe-repository",
            "servlet.access of find-objects");
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aLineOfTheLogComesWithItsRequest(Pair pair) throws Exception {
    awaitRequests(pair);
    List<JsonNode> lines =
        rows(
            pair,
            "SELECT l.level, l.message, l.thrown FROM logs l JOIN traces t USING (source, trace)"
                + " WHERE t.failed AND t.root_stage = 'http.request'"
                + " AND upper(l.level) IN ('WARN', 'ERROR')"
                + " AND t.pid = 'kinds:broken'");
    assertThat(lines).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"MPTSTORE_38", "MPTSTORE_35"})
  void triplesThatAFailedFlushHasLostAreReported(Pair pair) throws Exception {
    awaitRequests(pair);
    JsonNode report =
        fedometers
            .get(pair)
            .startWithStore("report", pair.run(), "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE_WITH_ERRORS)
            .json();
    assertThat(report.get("problems"))
        .anySatisfy(
            problem -> {
              assertThat(problem.get("severity").asText()).isEqualTo("wrong");
              assertThat(problem.get("message").asText())
                  .contains("1 flush of triples failed and lost up to", "index row");
            });
    assertThat(report.at("/logs/errors").asInt()).isPositive();
  }

  @Test
  void aSlowValidatorShowsInTheValidation() throws Exception {
    awaitRequests(Pair.MPTSTORE_38);
    assertSlow(
        Pair.MPTSTORE_38,
        StageRequests.SLOWLY_VALIDATED,
        "ingest.validate.schematron",
        "ingest.validate.xsd");
  }

  @Test
  void slowContentShowsInTheFetch() throws Exception {
    awaitRequests(Pair.MPTSTORE_38);
    assertSlow(Pair.MPTSTORE_38, StageRequests.SLOWLY_FETCHED, "content.fetch");
  }

  @Test
  void lockedTableShowsInItsStatement() throws Exception {
    awaitRequests(Pair.MPTSTORE_38);
    assertSlow(Pair.MPTSTORE_38, StageRequests.FIRST_NUMBER, "database.update", "database.insert");
    assertSlow(Pair.MPTSTORE_38, StageRequests.SECOND_NUMBER, "ingest.pid.wait");
  }

  @Test
  void aSlowFlushShowsInItsRowsAndTheNextFlushWaitsForIt() throws Exception {
    awaitRequests(Pair.MPTSTORE_38);
    for (String stage : List.of("triples.insert", "triples.wait")) {
      assertThat(
              rows(
                      Pair.MPTSTORE_38,
                      "SELECT max(self_nanos) AS longest FROM samples WHERE stage = '"
                          + stage
                          + "'")
                  .get(0)
                  .get("longest")
                  .asLong())
          .as(stage)
          .isGreaterThan(StageRequests.DELAY.toNanos());
    }
    assertThat(slowStages(Pair.MPTSTORE_38, StageRequests.DURING_THE_FLUSH))
        .as("an ingest has the buffer to itself")
        .isEmpty();
  }

  @Test
  void ingestLockOfFedora35WaitsForASlowClient() throws Exception {
    awaitRequests(Pair.MPTSTORE_35);
    assertSlow(Pair.MPTSTORE_35, StageRequests.SLOWLY_SENT, "ingest.receive");
    assertSlow(Pair.MPTSTORE_35, StageRequests.AFTER_THE_SLOW_CLIENT, "ingest.prepare.wait");
  }

  /** Checks that a single stage was slow by itself, and that it is one of these. */
  private void assertSlow(Pair pair, String object, String... stages) throws Exception {
    assertThat(slowStages(pair, object)).hasSize(1).isSubsetOf(stages);
  }

  private List<String> slowStages(Pair pair, String object) throws Exception {
    List<String> slow = new ArrayList<>();
    for (JsonNode row :
        rows(
            pair,
            "SELECT DISTINCT stage FROM samples JOIN traces USING (source, trace)"
                + " WHERE operation = 'ingest' AND pid = '"
                + object
                + "' AND self_nanos > "
                + StageRequests.DELAY.toNanos())) {
      slow.add(row.get("stage").asText());
    }
    return slow;
  }

  private void awaitRequests(Pair pair) {
    Throwable reason = failures.get(pair);
    if (reason instanceof NoSuchJava && !"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      abort("SKIPPED: " + reason.getMessage());
    } else if (reason != null) {
      fail(pair.run(), reason);
    }
  }

  private List<JsonNode> rows(Pair pair, String sql) throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    fedometers
        .get(pair)
        .startWithStore("runs", "query", sql, "--run", pair.run(), "--format", "json")
        .await(TIMEOUT)
        .expect(ExitCode.DONE)
        .json()
        .forEach(rows::add);
    return rows;
  }

  private static final class NoSuchJava extends Exception {
    private static final long serialVersionUID = 1;

    NoSuchJava(String message) {
      super(message.lines().collect(Collectors.joining(" ")));
    }
  }
}
