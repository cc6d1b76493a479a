package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.fedometer.collector.influx.Influx;
import org.fedometer.collector.influx.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An InfluxDB that a collector tells of an ingest is killed and comes back: nobody waits for it,
 * and in the end it has what the store has.
 */
@Tag("endurance-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InfluxGoneIT {
  private static final Duration PATIENCE = Site.PATIENCE;

  /** More than this test waits for. */
  private static final int OBJECTS = 1_000_000;

  private Site site;
  private Fedometer fedometer;
  private ServerProcess server;
  private Influx influx;
  private Fedometer.Call collector;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    server = ServerProcess.influxDb(Files.createDirectory(folder.resolve("influx")), false);
    influx = Influx.withDatabase(server);
    site = new Site(folder, "mptstore-postgresql");
    fedometer = site.fedometer();
  }

  @AfterAll
  void takeDown() throws Exception {
    if (collector != null) {
      collector.process().destroyForcibly().waitFor();
    }
    if (server != null) {
      server.close();
    }
    if (site != null) {
      site.close();
    }
  }

  @Test
  void anInfluxDbThatIsKilledHoldsNobodyUpAndAnExportFillsTheHole() throws Exception {
    Trials.of(
        "influx-killed",
        trial -> {
          String name = "influx-" + trial.number();
          String pid = Long.toString(site.process("Fedora").pid());
          collector =
              fedometer.startWithStore(
                  "collect",
                  "--listen",
                  "127.0.0.1:0",
                  "--influx",
                  server.url(),
                  "--influx-database",
                  Influx.DATABASE);
          collector.address();
          fedometer
              .startWithStore("attach", pid, "--run-name", name)
              .await(PATIENCE)
              .expect(ExitCode.DONE);
          Fedometer.Call driver = site.startIngest(name, OBJECTS, "--join");
          site.awaitMore(driver, name, trial.between(10, 300));
          await().atMost(PATIENCE).until(() -> !countsInInflux(name).isEmpty());

          long before = countLines(collector, "takes no points");
          server.kill();
          await().atMost(PATIENCE).until(() -> countLines(collector, "takes no points") > before);
          site.awaitMore(driver, name, trial.between(10, 300));
          awaitAcknowledged(pid);
          server.start();
          long countBefore = total(countsInInflux(name));
          await().atMost(PATIENCE).until(() -> total(countsInInflux(name)) > countBefore);

          site.awaitMore(driver, name, trial.between(10, 300));
          server.kill();
          site.awaitMore(driver, name, trial.between(10, 300));
          awaitAcknowledged(pid);
          fedometer.start("detach", pid).await(PATIENCE).expect(ExitCode.DONE);
          fedometer.start("stop", name).await(PATIENCE).expect(ExitCode.DONE);
          driver.await(PATIENCE).expect(ExitCode.INTERRUPTED);
          JsonNode report =
              site.resume(name, "--for", "1s", "--verify", "everything")
                  .expect(ExitCode.DONE)
                  .json();
          assertThat(report.at("/verification/ok").asBoolean()).isTrue();
          assertThat(report.at("/outages").toString()).doesNotContain("edora is out of reach");
          collector.process().destroy();
          collector.await(PATIENCE);
          assertThat(collector.err())
              .as("the hole is told, and what fills it")
              .contains(
                  "fedometer export influx "
                      + name
                      + " --store "
                      + fedometer.store().toRealPath()
                      + " --influx "
                      + server.url());
          server.start();
          long missing = total(countsInStore(name)) - total(countsInInflux(name));
          assertThat(missing).isPositive();

          export(name);

          assertThat(countsInInflux(name)).isEqualTo(countsInStore(name));
          assertThat(readingsInInflux(name)).isEqualTo(readingsInStore(name)).isPositive();
          List<Map<String, String>> points = points(name);
          export(name);
          assertThat(points(name)).as("none twice").isEqualTo(points);
          assertNothingLost(name);
          trial.note("objects", report.at("/objects/ingested").asLong());
          trial.note("missingBeforeExport", missing);
          trial.note("points", points.size());
        });
  }

  /** Nothing that the agent has sent waits for the collector. */
  private void awaitAcknowledged(String pid) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                StreamSupport.stream(
                        fedometer.start("agents", "--json").await(PATIENCE).json().spliterator(),
                        false)
                    .anyMatch(
                        agent ->
                            agent.get("pid").asText().equals(pid)
                                && agent.get("connected").asBoolean()
                                && agent.get("queuedBytes").asLong() == 0));
  }

  private static long countLines(Fedometer.Call collector, String text) {
    return collector.err().lines().filter(line -> line.contains(text)).count();
  }

  private void export(String name) throws Exception {
    fedometer
        .startWithStore(
            "export",
            "influx",
            name,
            "--influx",
            server.url(),
            "--influx-database",
            Influx.DATABASE)
        .await(PATIENCE)
        .expect(ExitCode.DONE);
  }

  /** What ended of each stage, by all points together. */
  private Map<String, Long> countsInInflux(String name) throws Exception {
    Map<String, Long> counts = new HashMap<>();
    for (Map<String, String> row :
        influx.rows(
            "SELECT sum(count) AS n FROM fedometer_stages WHERE run = '"
                + name
                + "' GROUP BY stage")) {
      counts.put(row.get("stage"), Long.valueOf(row.get("n")));
    }
    return counts;
  }

  private Map<String, Long> countsInStore(String name) throws Exception {
    Map<String, Long> counts = new HashMap<>();
    for (JsonNode row :
        ask(
            name,
            "SELECT stage, count(*) AS n FROM samples GROUP BY stage UNION ALL"
                + " SELECT 'driver.request', count(*) FROM requests WHERE operation = 'ingest'")) {
      counts.put(row.get("stage").asText(), row.get("n").asLong());
    }
    return counts;
  }

  private static long total(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private long readingsInInflux(String name) throws Exception {
    return influx
        .rows("SELECT count(value) AS n FROM fedometer_telemetry WHERE run = '" + name + "'")
        .stream()
        .mapToLong(row -> Long.parseLong(row.get("n")))
        .sum();
  }

  private long readingsInStore(String name) throws Exception {
    return ask(name, "SELECT count(*) AS n FROM telemetry WHERE isfinite(value)")
        .at("/0/n")
        .asLong();
  }

  private List<Map<String, String>> points(String name) throws Exception {
    return influx.rows("SELECT * FROM fedometer_stages WHERE run = '" + name + "'");
  }

  private void assertNothingLost(String name) throws Exception {
    for (JsonNode source :
        ask(name, "SELECT kind, frames_missing, frames_dropped, samples_dropped FROM sources")) {
      assertThat(source.get("frames_missing").asLong()).as(source.toString()).isZero();
      assertThat(source.get("frames_dropped").asLong()).as(source.toString()).isZero();
      assertThat(source.get("samples_dropped").asLong()).as(source.toString()).isZero();
    }
  }

  private JsonNode ask(String run, String sql) throws Exception {
    return fedometer
        .startWithStore("query", sql, "--run", run, "--format", "json")
        .await(PATIENCE)
        .expect(ExitCode.DONE)
        .json();
  }
}
