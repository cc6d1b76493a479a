package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collector that takes less than an agent has for it: the agent keeps to its memory, Fedora
 * serves on, and what is dropped is counted to the last sample.
 */
@Tag("endurance-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowCollectorIT {
  private static final Duration PATIENCE = Site.PATIENCE;
  private static final int OBJECTS = 600;
  private static final long MEMORY_BYTES = 8 << 20;

  /** Thousands of samples for each object, so that memory is full after some dozens of them. */
  private static final List<String> TALKATIVE =
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
  private Fedometer.Call collector;
  private int collectorPort;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    site = new Site(folder, "mptstore-postgresql");
    collector = site.fedometer().startWithStore("collect", "--listen", "127.0.0.1:0");
    String address = collector.address();
    collectorPort = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  @AfterAll
  void takeDown() throws Exception {
    if (collector != null) {
      signal("CONT");
      collector.process().destroy();
      collector.await(PATIENCE);
    }
    if (site != null) {
      site.close();
    }
  }

  @Test
  void aCollectorThatStandsStillNowAndThenHoldsNobodyUp() throws Exception {
    Trials.of(
        "collector-stopped",
        trial -> {
          String name = "stopped-" + trial.number();
          int stops = trial.between(2, 3);
          try (ObservedIngest ingest = ingest(name, collectorPort)) {
            ingest.awaitBegun(trial.between(5, 30));
            for (int stop = 0; stop < stops; stop++) {
              signal("STOP");
              long dropped = droppedSoFar(ingest);
              await()
                  .atMost(PATIENCE)
                  .failFast("the driver ended", () -> !ingest.driver().process().isAlive())
                  .until(() -> droppedSoFar(ingest) > dropped);
              awaitMore(ingest, trial.between(20, 40));
              assertKeepsToItsMemory(ingest);
              signal("CONT");
              awaitMore(ingest, trial.between(5, 30));
            }
            trial.note("stops", stops);
            end(ingest, trial);
          } finally {
            signal("CONT");
          }
        });
  }

  @Test
  void aNarrowWayToTheCollectorHoldsNobodyUp() throws Exception {
    Trials.of(
        "collector-narrow-way",
        trial -> {
          String name = "narrow-" + trial.number();
          try (RelayProcess relay = new RelayProcess(List.of(), collectorPort);
              ObservedIngest ingest = ingest(name, relay.port())) {
            int bytesPerSecond = trial.between(2_000, 10_000);
            ingest.awaitBegun(trial.between(5, 30));
            relay.narrow(bytesPerSecond);
            ingest.awaitBegun(OBJECTS - 100);
            assertKeepsToItsMemory(ingest);
            // What waits would take minutes otherwise.
            relay.heal();
            trial.note("bytesPerSecond", bytesPerSecond);
            end(ingest, trial);
          }
        });
  }

  private ObservedIngest ingest(String name, int agentsCollector) throws Exception {
    return new ObservedIngest(
        site,
        name,
        OBJECTS,
        new ObservedIngest.Ways(agentsCollector, collectorPort, site.port()),
        TALKATIVE,
        "--workers",
        "2");
  }

  /** Until so many more objects are begun; on a slow machine there may not be as many left. */
  private static void awaitMore(ObservedIngest ingest, int objects) throws Exception {
    ingest.awaitBegun(Math.min(OBJECTS, ingest.begun() + objects));
  }

  private static long droppedSoFar(ObservedIngest ingest) throws Exception {
    return ingest.agent().get("samplesDropped").asLong();
  }

  private static void assertKeepsToItsMemory(ObservedIngest ingest) throws Exception {
    JsonNode agent = ingest.agent();
    assertThat(agent.get("memoryLimitBytes").asLong()).isEqualTo(MEMORY_BYTES);
    assertThat(agent.get("memoryBytes").asLong()).isBetween(1L, MEMORY_BYTES);
  }

  private static void end(ObservedIngest ingest, Trials.Trial trial) throws Exception {
    ingest.driver().await(PATIENCE).expect(ExitCode.DONE);
    ingest.detach();
    JsonNode report = ingest.report();
    Reports.assertWhole(report, OBJECTS);
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
        ingest.ask(
            "counted", ObservedIngest.INGESTS_COUNTED,
            "twice", ObservedIngest.SAMPLES_TWICE,
            "requestsTwice", ObservedIngest.REQUESTS_TWICE,
            "objects", ObservedIngest.OBJECTS_ASKED_FOR,
            "dropped", "sum(count) - (SELECT count(*) FROM samples) FROM totals",
            "tooMany",
                "count(*) FROM (SELECT stage, count(*) AS n FROM samples GROUP BY stage)"
                    + " LEFT JOIN (SELECT stage, sum(count) AS exact FROM totals GROUP BY stage)"
                    + " USING (stage) WHERE exact IS NULL OR n > exact");
    assertThat(found.get("counted").asLong())
        .as("totals are exact, whatever was dropped: %s", found)
        .isEqualTo(OBJECTS);
    assertThat(found.get("dropped").asLong())
        .as("what the totals have and the samples have not")
        .isEqualTo(dropped);
    assertThat(found.get("tooMany").asLong()).as("stages of too many samples").isZero();
    ingest.assertNothingTwice(found);
    assertThat(found.get("objects").asLong()).as("objects asked for").isEqualTo(OBJECTS);
    ingest.assertEveryObjectIsThere();
    trial.note("objects", OBJECTS);
    trial.note("samplesRecorded", agent.get("recorded").asLong());
    trial.note("samplesDropped", dropped);
    trial.note("samplesLost", report.at("/samples/lost").asLong());
  }

  private void signal(String signal) throws Exception {
    long pid = collector.process().pid();
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
  }
}
