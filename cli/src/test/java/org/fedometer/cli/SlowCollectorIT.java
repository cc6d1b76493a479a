package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collector slower than its agent: the agent keeps its memory limit, Fedora continues to serve,
 * and every dropped sample is counted.
 */
@Tag("endurance")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowCollectorIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;
  private static final long MEMORY_BYTES = 8 << 20;

  /** More than a verification reads back, which is a hundred. */
  private static final int MIN_OBJECTS = 120;

  /** Thousands of samples for each object, so that memory is full after some dozens of them. */
  private static final List<String> VERBOSE_AGENT_OPTIONS =
      List.of(
          "--memory",
          "8m",
          "--stage",
          "talk.storage=execution(* org.fcrepo.server.storage..*(..))",
          "--stage",
          "talk.common=execution(* org.fcrepo.common..*(..))",
          "--stage",
          "talk.triples=execution(* org.fcrepo.server.resourceIndex..*(..))");

  private Site site;
  private CollectorInForeground collector;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    site = new Site(folder, "mptstore-postgresql");
    collector = new CollectorInForeground(site.fedometer());
  }

  @AfterAll
  void tearDown() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  void aStallingCollectorDelaysNoRequest() throws Exception {
    Trials.of(
        "collector-stopped",
        trial -> {
          String name = "stopped-" + trial.number();
          int stops = trial.between(2, 3);
          try (ObservedIngest ingest = ingest(name, collector.port())) {
            ingest.awaitBegun(trial.between(5, 30));
            for (int stop = 0; stop < stops; stop++) {
              collector.signal("STOP");
              awaitDropping(ingest);
              ingest.awaitMore(trial.between(20, 40));
              assertStaysWithinMemoryLimit(ingest);
              collector.signal("CONT");
              ingest.awaitMore(trial.between(5, 30));
            }
            trial.note("stops", stops);
            end(ingest, name, trial);
          } finally {
            collector.signal("CONT");
          }
        });
  }

  @Test
  void aSlowConnectionDelaysNoRequest() throws Exception {
    Trials.of(
        "collector-narrow-way",
        trial -> {
          String name = "narrow-" + trial.number();
          try (RelayProcess relay = new RelayProcess(List.of(), collector.port());
              ObservedIngest ingest = ingest(name, relay.port())) {
            int bytesPerSecond = trial.between(2_000, 10_000);
            ingest.awaitBegun(trial.between(5, 30));
            relay.limitRate(bytesPerSecond);
            awaitDropping(ingest);
            ingest.awaitMore(trial.between(50, 200));
            assertStaysWithinMemoryLimit(ingest);
            // Waiting data would need minutes otherwise.
            assertThat(relay.heal()).as("pieces that came slowly").isPositive();
            trial.note("bytesPerSecond", bytesPerSecond);
            end(ingest, name, trial);
          }
        });
  }

  private ObservedIngest ingest(String name, int agentsCollector) throws Exception {
    return new ObservedIngest(
        site,
        name,
        ObservedIngest.ENDLESS,
        new ObservedIngest.Ports(agentsCollector, collector.port(), site.port()),
        VERBOSE_AGENT_OPTIONS,
        "--workers",
        "2");
  }

  /** Until the agent drops more than it has so far. */
  private static void awaitDropping(ObservedIngest ingest) throws Exception {
    long dropped = droppedSoFar(ingest);
    await()
        .atMost(TIMEOUT)
        .failFast("the driver ended", () -> !ingest.driver().process().isAlive())
        .until(() -> droppedSoFar(ingest) > dropped);
  }

  private static long droppedSoFar(ObservedIngest ingest) throws Exception {
    return ingest.agent().get("samplesDropped").asLong();
  }

  private static void assertStaysWithinMemoryLimit(ObservedIngest ingest) throws Exception {
    JsonNode agent = ingest.agent();
    assertThat(agent.get("memoryLimitBytes").asLong()).isEqualTo(MEMORY_BYTES);
    assertThat(agent.get("memoryBytes").asLong()).isBetween(1L, MEMORY_BYTES);
  }

  /**
   * Ends the load, and checks all its objects and its samples. An agent that has dropped samples
   * reports that at its end, which is no success.
   */
  private void end(ObservedIngest ingest, String name, Trials.Trial trial) throws Exception {
    ingest.awaitBegun(MIN_OBJECTS);
    site.fedometer().start("load", "stop", name).await(TIMEOUT).expect(ExitCode.DONE);
    ingest.driver().await(TIMEOUT).expect(ExitCode.INTERRUPTED);
    site.resume(name, "--duration", "1s").expect(ExitCode.DONE);
    ingest.detach();
    JsonNode report = ingest.report();
    long objects = report.at("/objects/ingested").asLong();
    Reports.assertComplete(report, objects);
    assertThat(report.at("/requests/failed").asLong()).as("requests that failed").isZero();
    JsonNode agent = report.at("/samples/sources/0");
    long dropped = agent.get("dropped").asLong();
    assertThat(dropped).as("the collector was too slow: %s", report.at("/samples")).isPositive();
    assertThat(agent.get("received").asLong() + dropped)
        .as("%s", report.at("/samples"))
        .isEqualTo(agent.get("recorded").asLong());
    assertThat(report.at("/samples/lost").asLong()).isZero();
    assertThat(report.at("/problems").toString()).contains("dropped");
    assertThat(agent.get("threadsRefused").asLong()).as("all threads are timed").isZero();
    JsonNode found =
        ingest.queryNumbers(
            "counted", ObservedIngest.INGESTS_COUNTED,
            "twice", ObservedIngest.SAMPLES_TWICE,
            "requestsTwice", ObservedIngest.REQUESTS_TWICE,
            "objects", ObservedIngest.OBJECTS_REQUESTED,
            "dropped", "sum(count) - (SELECT count(*) FROM samples) FROM totals",
            "tooMany",
                "count(*) FROM (SELECT stage, count(*) AS n FROM samples GROUP BY stage)"
                    + " LEFT JOIN (SELECT stage, sum(count) AS exact FROM totals GROUP BY stage)"
                    + " USING (stage) WHERE exact IS NULL OR n > exact");
    assertThat(found.get("counted").asLong())
        .as("totals are exact, whatever was dropped: %s", found)
        .isEqualTo(objects);
    assertThat(found.get("dropped").asLong())
        .as("what the totals have and the samples have not")
        .isEqualTo(dropped);
    assertThat(found.get("tooMany").asLong()).as("stages of too many samples").isZero();
    ingest.assertNothingTwice(found);
    assertThat(found.get("objects").asLong()).as("objects asked for").isEqualTo(objects);
    assertThat(site.verifyEverything(name).at("/objectsFound").asLong()).isEqualTo(objects);
    trial.note("objects", objects);
    trial.note("samplesRecorded", agent.get("recorded").asLong());
    trial.note("samplesDropped", dropped);
    trial.note("samplesLost", report.at("/samples/lost").asLong());
  }
}
