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
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.influx.Influx;
import org.fedometer.collector.influx.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An InfluxDB that receives an ingest is killed and restarted: nothing waits for it, and in the end
 * it has the store's data.
 */
@Tag("endurance")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InfluxOutageIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;

  private Site site;
  private Fedometer fedometer;
  private ServerProcess server;
  private Influx influx;
  private CollectorInForeground collector;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    server = ServerProcess.influxDb(Files.createDirectory(folder.resolve("influx")), false);
    influx = Influx.withDatabase(server);
    site = new Site(folder, "mptstore-postgresql");
    fedometer = site.fedometer();
  }

  @AfterAll
  void tearDown() throws Exception {
    // The server first: a site waits until nothing is left in its folder.
    try (Site last = site;
        ServerProcess first = server) {}
  }

  @Test
  void exportFillsTheGapOfAnInfluxOutage() throws Exception {
    Trials.of(
        "influx-killed",
        trial -> {
          String name = "influx-" + trial.number();
          String pid = Long.toString(site.process("Fedora").pid());
          collector =
              new CollectorInForeground(
                  fedometer, "--influx", server.url(), "--influx-database", Influx.DATABASE);
          fedometer
              .startWithStore("attach", pid, "--name", name)
              .await(TIMEOUT)
              .expect(ExitCode.DONE);
          Fedometer.Call driver = site.startIngest(name, ObservedIngest.ENDLESS, "--join");
          site.awaitMore(driver, name, trial.between(10, 300));
          await().atMost(TIMEOUT).until(() -> !countsInInflux(name).isEmpty());

          long before = countLines("InfluxDB accepts no points");
          server.kill();
          await().atMost(TIMEOUT).until(() -> countLines("InfluxDB accepts no points") > before);
          site.awaitMore(driver, name, trial.between(10, 300));
          awaitAcknowledged();
          server.start();
          long countBefore = total(countsInInflux(name));
          await().atMost(TIMEOUT).until(() -> total(countsInInflux(name)) > countBefore);

          site.awaitMore(driver, name, trial.between(10, 300));
          server.kill();
          site.awaitMore(driver, name, trial.between(10, 300));
          awaitAcknowledged();
          fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.DONE);
          fedometer.start("load", "stop", name).await(TIMEOUT).expect(ExitCode.DONE);
          driver.await(TIMEOUT).expect(ExitCode.INTERRUPTED);
          JsonNode report =
              site.resume(name, "--duration", "1s", "--verify", "all").expect(ExitCode.DONE).json();
          assertThat(report.at("/verification/ok").asBoolean()).isTrue();
          assertThat(report.at("/outages").findValuesAsText("who"))
              .as("the driver never had to wait: %s", report.at("/outages"))
              .containsOnly("driver");
          collector.stop();
          assertThat(collector.err())
              .as("the hole is told, and what fills it")
              .contains(
                  "fedometer runs export "
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
  private void awaitAcknowledged() {
    await()
        .atMost(TIMEOUT)
        .until(
            site::agent,
            agent -> agent.get("connected").asBoolean() && agent.get("queuedBytes").asLong() == 0);
  }

  private long countLines(String text) {
    return collector.err().lines().filter(line -> line.contains(text)).count();
  }

  private void export(String name) throws Exception {
    fedometer
        .startWithStore(
            "runs",
            "export",
            "influx",
            name,
            "--influx",
            server.url(),
            "--influx-database",
            Influx.DATABASE)
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
  }

  /** Returns executions of each stage, summed over all points. */
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
        fedometer.query(
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
    return fedometer
        .query(name, "SELECT count(*) AS n FROM telemetry WHERE isfinite(value)")
        .at("/0/n")
        .asLong();
  }

  private List<Map<String, String>> points(String name) throws Exception {
    return influx.rows("SELECT * FROM fedometer_stages WHERE run = '" + name + "'");
  }

  private void assertNothingLost(String name) throws Exception {
    for (JsonNode source :
        fedometer.query(
            name, "SELECT kind, frames_missing, frames_dropped, samples_dropped FROM sources")) {
      assertThat(source.get("frames_missing").asLong()).as(source.toString()).isZero();
      assertThat(source.get("frames_dropped").asLong()).as(source.toString()).isZero();
      assertThat(source.get("samples_dropped").asLong()).as(source.toString()).isZero();
    }
  }
}
