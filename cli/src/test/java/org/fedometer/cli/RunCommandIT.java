package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The main job on the real Fedora, two profiles at once, as a user runs it. */
@Tag("fedora")
@Isolated("has two stacks at a time already")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunCommandIT {
  private static final Duration RUN_TIMEOUT = Duration.ofMinutes(8);

  /** Given by a user where others may see it. */
  private static final String SECRET = "Pl4ntedByTheUser";

  private static final Path REAL_PATENTS = Fedometer.ROOT.resolve("../shared/data/patents-us");

  /** Stages of every ingest, with any profile. */
  private static final List<String> STAGES =
      List.of(
          "http.request",
          "http.authentication",
          "ingest.parse",
          "ingest.validate",
          "ingest.validate.xsd",
          "ingest.validate.schematron",
          "ingest.pid",
          "registry.register",
          "ingest.commit",
          "store.datastream",
          "store.foxml",
          "index.fields",
          "triples.generate",
          "triples.add",
          "triples.flush",
          "pool.acquire");

  private Fedometer fedometer;
  private Fedometer.Call patents;
  private Fedometer.Call realPatents;

  /** True if real patents are available for the second run. */
  private boolean present;

  @BeforeAll
  void runBothProfilesAtOnce(@TempDir Path folder) throws Exception {
    present = Files.isDirectory(REAL_PATENTS);
    if (!present && "1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      throw new AssertionError("real patents are required and absent: " + REAL_PATENTS);
    }
    fedometer = new Fedometer(folder);
    patents =
        fedometer.startWithStore(
            "run",
            "--objects",
            "500",
            "--name",
            "patents",
            "--set",
            "fedora.pids=numeric",
            "--stage",
            "my.commit=execution(* org.fcrepo.server.storage.DOWriter.commit(String))"
                + " || execution(* org.fcrepo.server.None.none(String, ..))",
            "--stage",
            "my.none=execution(* org.fcrepo.server.Server.none(..))",
            "--set",
            "jvm.arguments+=-Dsome.service.password=" + SECRET,
            "--set",
            "jvm.jfr=default",
            "--set",
            Fedometer.QUICK_COMPILER);
    realPatents =
        fedometer.startWithStore(
            "run",
            "--profile",
            "mulgara-mysql",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--dataset",
            present ? "patents-xml:" + REAL_PATENTS : "patents:small",
            "--objects",
            "100",
            "--name",
            "real",
            "--json");
    realPatents.await(RUN_TIMEOUT);
    patents.await(RUN_TIMEOUT);
  }

  @Test
  void ingestsPatentsIntoMptstoreOnPostgresql() throws Exception {
    patents.expect(ExitCode.DONE);
    assertThat(patents.out()).contains("mptstore-postgresql", "500 of 500 objects ingested");
    assertThat(patents.err()).contains("my.none matches nothing that Fedora has loaded so far");

    JsonNode report = reportOf("patents");
    assertSuccessful(report, 500);
    assertThat(report.at("/dataset").asText()).isEqualTo("patents");
    assertThat(queryNumbers("SELECT count(*) FROM samples WHERE stage = 'my.commit'"))
        .as("a stage of the user's")
        .isEqualTo("500");
  }

  @Test
  void realPatentXmlIntoMulgaraOnMysqlEndsWell() throws Exception {
    Assumptions.assumeTrue(present, "SKIPPED: no real patents at " + REAL_PATENTS);
    realPatents.expect(ExitCode.DONE);

    assertSuccessful(realPatents.json(), 100);
    assertThat(reportOf("real")).as("made again from the folder").isEqualTo(realPatents.json());
  }

  @Test
  void runFolderDescribesTheRun() throws IOException {
    Path run = fedometer.store().resolve("runs").resolve("patents");
    JsonNode document = new ObjectMapper().readTree(run.resolve("run.json").toFile());

    assertThat(document.at("/state").asText()).isEqualTo("done");
    assertThat(document.at("/dataset/parameters/seed").asText()).isNotEmpty();
    assertThat(document.at("/versions/fedora").asText()).isEqualTo("3.8.1");
    assertThat(document.at("/versions/fedometer.gitCommit").asText()).isNotEmpty();
    assertThat(document.at("/environment/os.kernel").asText()).isNotEmpty();
    List<String> configuration = new ArrayList<>();
    document.at("/configurationFiles").forEach(file -> configuration.add(file.asText()));
    assertThat(configuration).anyMatch(file -> file.endsWith("fedora.fcfg"));
    assertThat(configuration).allSatisfy(file -> assertThat(run.resolve(file)).isNotEmptyFile());
    document.at("/logFiles").forEach(file -> assertThat(run.resolve(file.asText())).exists());
    assertThat(document.at("/logFiles"))
        .extracting(JsonNode::asText)
        .contains("logs/fedora.log", "logs/gc.log");
    assertThat(RecordingFile.readAllEvents(run.resolve("recordings/fedora.jfr")))
        .anyMatch(event -> event.getEventType().getName().equals("jdk.GarbageCollection"));
  }

  @Test
  void theRecordOfTheEnvironmentNamesEachPartOfTheStackAndNoSecret() throws Exception {
    Path run = fedometer.store().resolve("runs").resolve("patents");
    JsonNode environment = new ObjectMapper().readTree(run.resolve("environment.json").toFile());

    assertThat(environment.at("/artifacts"))
        .extracting(artifact -> artifact.at("/part").asText())
        .contains("agent", "installer", "database");
    assertThat(environment.at("/artifacts"))
        .allMatch(artifact -> artifact.at("/sha256").asText().matches("[0-9a-f]{64}"));
    assertThat(environment.at("/processes"))
        .extracting(process -> process.at("/role").asText())
        .containsExactlyInAnyOrder("Fedora", "PostgreSQL");
    assertThat(environment.at("/processes"))
        .allMatch(process -> process.at("/command").size() > 2)
        .allMatch(process -> process.at("/programSha256").asText().matches("[0-9a-f]{64}"));
    assertThat(environment.at("/jvm/flags"))
        .extracting(JsonNode::asText)
        .anyMatch(flag -> flag.startsWith("-XX:MaxHeapSize="));
    assertThat(environment.at("/host/memory.total").asText()).isNotEmpty();
    assertThat(environment.at("/host/disk.mount.options").asText()).isNotEmpty();
    assertThat(environment.at("/tool/gitCommit").asText()).isNotEmpty();
    environment
        .at("/configuration")
        .forEach(file -> assertThat(run.resolve(file.asText())).isNotEmptyFile());
    assertThat(environment.at("/artifacts"))
        .filteredOn(artifact -> artifact.at("/part").asText().equals("tool"))
        .extracting(artifact -> artifact.at("/file").asText())
        .anyMatch(file -> file.startsWith("experiments-"));
    assertThat(environment.at("/tool/telemetrySeconds").asText()).isEqualTo("1.0");
    assertThat(environment.at("/tool/collector").asText()).isEqualTo("loopback");
    assertThat(environment.at("/processes"))
        .allSatisfy(
            process ->
                assertThat(process.at("/limits"))
                    .extracting(JsonNode::asText)
                    .anyMatch(limit -> limit.startsWith("Max open files")));
    assertThat(new ObjectMapper().readTree(runJson("patents")).at("/profile/name").asText())
        .contains("-Dsome.service.password=********");
    assertThat(filesWith(SECRET, run)).isEmpty();
    assertThat(queryNumbers("SELECT count(*) FROM environment WHERE value LIKE '%" + SECRET + "%'"))
        .as("in a table, which is compressed")
        .isEqualTo("0");
    assertThat(queryNumbers("SELECT count(*) FROM logs WHERE message LIKE '%" + SECRET + "%'"))
        .isEqualTo("0");
  }

  private static List<Path> filesWith(String text, Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  @Test
  void telemetryCoversTheIngest() throws Exception {
    assertThat(
            queryNumbers(
                "SELECT DISTINCT split_part(metric, '.', 1) AS of FROM telemetry"
                    + " WHERE metric LIKE '%.process.cpu.time' ORDER BY of"))
        .isEqualTo("database,driver,fedora");
    assertThat(
            queryNumbers(
                "SELECT min(used) > 0 FROM (SELECT metric, max(value) - min(value) AS used"
                    + " FROM telemetry WHERE metric LIKE '%.process.cpu.time' GROUP BY metric)"))
        .as("each of them used some processor time")
        .isEqualTo("true");
    assertThat(
            queryNumbers(
                "SELECT max(value) - min(value) >= 500 FROM telemetry"
                    + " WHERE metric = 'pg_stat_database.xact_commit'"))
        .as("there is a commit for each object")
        .isEqualTo("true");
    assertThat(
            queryNumbers(
                "SELECT max(value) - min(value) > 100000 FROM telemetry"
                    + " WHERE metric = 'pg_stat_wal.wal_bytes' AND unit = 'By'"))
        .isEqualTo("true");
    assertThat(new ObjectMapper().readTree(runJson("patents")).at("/notes")).isEmpty();
  }

  @Test
  void readsMysqlCounters() throws Exception {
    assertThat(
            queryRun(
                "real",
                "SELECT count(DISTINCT metric) >= 20, sum(value) FILTER"
                    + " (WHERE metric = 'global_status.Innodb_rows_inserted') >= 100"
                    + " FROM (SELECT metric, max(value) - min(value) AS value FROM telemetry"
                    + " WHERE metric LIKE 'global_status.%' GROUP BY metric)"))
        .as("there is a row for each object")
        .isEqualTo("true,true");
    assertThat(new ObjectMapper().readTree(runJson("real")).at("/notes")).isEmpty();
  }

  @Test
  void eachStopForACollectionIsInATable() throws Exception {
    assertThat(
            queryNumbers(
                "SELECT count(*) > 0, min(duration_nanos) > 0, count(*) FILTER"
                    + " (WHERE collector = 'unknown' OR action = '') FROM gc"))
        .isEqualTo("true,true,0");
    Path log = fedometer.store().resolve("runs/patents/logs/gc.log");
    try (Stream<String> lines = Files.lines(log)) {
      assertThat(queryNumbers("SELECT count(*) FROM gc"))
          .isEqualTo(
              Long.toString(lines.filter(line -> line.matches(".*GC\\(.* Pause .*ms")).count()));
    }
  }

  @Test
  void aRunComparedWithItselfDiffersInNothing() throws Exception {
    JsonNode same = compare("patents", "patents");

    assertThat(same.at("/comparisons/0/differences/profile")).isEmpty();
    assertThat(same.at("/comparisons/0/differences/notOfProfile")).isEmpty();
    assertThat(same.at("/comparisons/0/differences/mayFollowFromProfile")).isEmpty();
    assertThat(same.at("/comparisons/0/throughput/ratio").asDouble()).isEqualTo(1);
  }

  @Test
  void runsOfTwoProfilesOnOneMachineDifferInNothingButProfileAndWorkload() throws Exception {
    JsonNode difference = compare("patents", "real");

    assertThat(difference.at("/comparisons/0/differences/profile"))
        .extracting(setting -> setting.at("/name").asText())
        .contains("triplestore", "database");
    assertThat(difference.at("/comparisons/0/differences/notOfProfile"))
        .extracting(other -> other.at("/area").asText() + " " + other.at("/name").asText())
        .contains("workload objects")
        .doesNotContain("workload dataset.pids")
        .allMatch(name -> name.startsWith("workload "));
    assertThat(difference.at("/comparisons/0/differences/mayFollowFromProfile"))
        .extracting(other -> other.at("/name").asText())
        .contains("dataset.pids", "dataset.literalLimitBytes", "config/fedora.jfc");
    assertThat(difference.at("/comparisons/0/differences/atStart"))
        .extracting(value -> value.at("/name").asText())
        .contains("load.average", "memory.available");
  }

  private JsonNode compare(String first, String second) throws Exception {
    return fedometer
        .startWithStore("compare", first, second, "--json")
        .await(Duration.ofMinutes(3))
        .expect(ExitCode.DONE)
        .json();
  }

  private String runJson(String run) throws IOException {
    return Files.readString(fedometer.store().resolve("runs").resolve(run).resolve("run.json"));
  }

  @Test
  void queriesARunBySqlAndByObject() throws Exception {
    assertThat(queryNumbers("SELECT name FROM markers ORDER BY at_nanos"))
        .isEqualTo("provision,start,ingest,drain,verify,stop,seal");
    assertThat(queryNumbers("SELECT count(*) > 0 FROM environment WHERE name = 'os.kernel'"))
        .isEqualTo("true");
    assertThat(
            queryNumbers("SELECT sum(count)::BIGINT FROM rollups WHERE stage = 'driver.request'"))
        .isEqualTo("500");
    assertThat(
            queryNumbers(
                "SELECT operation, count(*), bool_and(intended_start_nanos = start_nanos)"
                    + " FROM requests GROUP BY operation"))
        .as("a closed model")
        .isEqualTo("ingest,500,true");
    assertThat(
            queryNumbers(
                "SELECT count(DISTINCT source), max(abs(offset_nanos)) <= max(uncertainty_nanos)"
                    + " FROM clocks JOIN sources USING (source) WHERE kind <> 'log'"))
        .as("agent and driver, on the collector's host")
        .isEqualTo("2,true");
    String pid = queryNumbers("SELECT pid FROM requests WHERE object_index = 7");
    assertThat(pid).as("numeric, as the profile has it").isEqualTo("patent:7");
    String waterfall =
        fedometer
            .startWithStore("runs", "trace", "patents", pid)
            .await(Duration.ofMinutes(3))
            .expect(ExitCode.DONE)
            .out();
    assertThat(waterfall).contains(pid, "http.request", "ingest.validate");
    Fedometer.Call log =
        fedometer
            .startWithStore("runs", "logs", "patents", "--tail", "5")
            .await(Duration.ofMinutes(3))
            .expect(ExitCode.DONE);
    assertThat(log.out()).contains("INFO");
    assertThat(log.err()).contains("logs/fedora.log");
  }

  /** The rows' values, without the line of the columns' names. */
  private String queryNumbers(String sql) throws Exception {
    return queryRun("patents", sql);
  }

  private String queryRun(String run, String sql) throws Exception {
    String csv =
        fedometer
            .startWithStore("runs", "query", sql, "--run", run, "--format", "csv")
            .await(Duration.ofMinutes(3))
            .expect(ExitCode.DONE)
            .out();
    return csv.lines().skip(1).collect(Collectors.joining(","));
  }

  @Test
  void leavesNoProcessesOrFiles() {
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
    assertThat(fedometer.store().resolve("homes"))
        .satisfiesAnyOf(
            homes -> assertThat(homes).doesNotExist(),
            homes -> assertThat(homes).isEmptyDirectory());
  }

  private JsonNode reportOf(String run) throws Exception {
    return fedometer
        .startWithStore("report", run, "--json")
        .await(Duration.ofMinutes(3))
        .expect(ExitCode.DONE)
        .json();
  }

  private static void assertSuccessful(JsonNode report, long objects) {
    assertThat(report.at("/objects/requested").asLong()).isEqualTo(objects);
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(objects);
    assertThat(report.at("/objects/failed").asLong()).isZero();
    assertThat(report.at("/objects/verified").asLong()).isEqualTo(Math.min(objects, 100));
    assertThat(report.at("/triples/expected").asLong()).isBetween(31 * objects, 200 * objects);
    assertThat(report.at("/triples/counted").asLong())
        .isEqualTo(report.at("/triples/expected").asLong());
    assertThat(report.at("/throughput/objectsPerSecond").asDouble()).isPositive();
    assertThat(report.at("/latency/p50Millis").asDouble()).isPositive();
    assertThat(report.at("/latency/maxMillis").asDouble())
        .isGreaterThanOrEqualTo(report.at("/latency/p99Millis").asDouble());
    assertThat(report.at("/samples/received").asLong()).isGreaterThan(20 * objects);
    assertThat(report.at("/samples/dropped").asLong()).isZero();
    assertThat(report.at("/samples/lost").asLong()).isZero();

    List<String> withCalls = new ArrayList<>();
    report
        .at("/stages")
        .forEach(
            stage -> {
              if (stage.at("/count").asLong() > 0) {
                withCalls.add(stage.at("/name").asText());
              }
            });
    assertThat(withCalls).containsAll(STAGES);
  }
}
