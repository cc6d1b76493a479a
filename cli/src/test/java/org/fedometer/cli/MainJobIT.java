package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The main job on the real Fedora, both profiles at once, as a user runs it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MainJobIT {
  private static final Duration RUN_PATIENCE = Duration.ofMinutes(8);
  private static final Path REAL_PATENTS = Fedometer.ROOT.resolve("../shared/data/patents-us");

  /** What every ingest passes, whatever the profile. */
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

  @BeforeAll
  void runBothProfilesAtOnce(@TempDir Path folder) throws Exception {
    boolean present = Files.isDirectory(REAL_PATENTS);
    if (!present && "1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      throw new AssertionError("real patents are required and absent: " + REAL_PATENTS);
    }
    fedometer = new Fedometer(folder);
    patents = fedometer.startWithStore("run", "--objects", "500", "--name", "patents");
    if (present) {
      realPatents =
          fedometer.startWithStore(
              "run",
              "--profile",
              "mulgara-derby",
              "--dataset",
              "patents-xml:" + REAL_PATENTS,
              "--objects",
              "100",
              "--name",
              "real",
              "--json");
      realPatents.await(RUN_PATIENCE);
    }
    patents.await(RUN_PATIENCE);
  }

  @Test
  void fiveHundredPatentsIntoMptstoreOnPostgresqlEndWell() throws Exception {
    patents.expect(ExitCode.DONE);
    assertThat(patents.out()).contains("mptstore-postgresql", "500 of 500 objects ingested");

    JsonNode report = reportOf("patents");
    assertAllIsWell(report, 500);
    assertThat(report.at("/dataset").asText()).isEqualTo("patents");
  }

  @Test
  void realPatentXmlIntoMulgaraOnDerbyEndsWell() throws Exception {
    Assumptions.assumeTrue(realPatents != null, "SKIPPED: no real patents at " + REAL_PATENTS);
    realPatents.expect(ExitCode.DONE);

    assertAllIsWell(realPatents.json(), 100);
    assertThat(reportOf("real")).as("made again from the folder").isEqualTo(realPatents.json());
  }

  @Test
  void theRunFolderTellsEverythingAboutTheRun() throws IOException {
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
    assertThat(document.at("/logFiles")).isNotEmpty();
  }

  @Test
  void theRunCanBeAskedBySqlAndByObject() throws Exception {
    assertThat(ask("SELECT name FROM barriers ORDER BY at_nanos"))
        .isEqualTo("provision,start,ingest,drain,verify,stop,seal");
    assertThat(ask("SELECT count(*) > 0 FROM environment WHERE name = 'os.kernel'"))
        .isEqualTo("true");
    assertThat(ask("SELECT sum(count)::BIGINT FROM rollups WHERE stage = 'driver.request'"))
        .isEqualTo("500");
    assertThat(
            ask(
                "SELECT count(DISTINCT source), max(abs(offset_nanos)) <= max(uncertainty_nanos)"
                    + " FROM clocks JOIN sources USING (source) WHERE kind <> 'log'"))
        .as("agent and driver, on the collector's host")
        .isEqualTo("2,true");
    String pid = ask("SELECT pid FROM requests WHERE object_index = 7");
    String waterfall =
        fedometer
            .startWithStore("trace", "patents", pid)
            .await(Duration.ofMinutes(1))
            .expect(ExitCode.DONE)
            .out();
    assertThat(waterfall).contains(pid, "http.request", "ingest.validate");
    Fedometer.Call log =
        fedometer
            .startWithStore("logs", "patents", "--last", "5")
            .await(Duration.ofMinutes(1))
            .expect(ExitCode.DONE);
    assertThat(log.out()).contains("INFO");
    assertThat(log.err()).contains("logs/fedora.log");
  }

  /** The rows' values, without the line of the columns' names. */
  private String ask(String sql) throws Exception {
    String csv =
        fedometer
            .startWithStore("query", sql, "--run", "patents", "--format", "csv")
            .await(Duration.ofMinutes(1))
            .expect(ExitCode.DONE)
            .out();
    return csv.lines().skip(1).collect(Collectors.joining(","));
  }

  @Test
  void nothingIsLeftRunningOrLyingAbout() {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
    assertThat(fedometer.store().resolve("homes"))
        .satisfiesAnyOf(
            homes -> assertThat(homes).doesNotExist(),
            homes -> assertThat(homes).isEmptyDirectory());
  }

  private JsonNode reportOf(String run) throws Exception {
    return fedometer
        .startWithStore("report", run, "--json")
        .await(Duration.ofMinutes(1))
        .expect(ExitCode.DONE)
        .json();
  }

  private static void assertAllIsWell(JsonNode report, long objects) {
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
