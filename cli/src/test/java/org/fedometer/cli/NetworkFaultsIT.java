package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.wire.TestDelay;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest whose network is cut, slow or deaf in one direction at some moment, between the agent
 * and the collector, or between the driver and Fedora: every object is there in the end, once, and
 * each of its ingests was timed once.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NetworkFaultsIT {

  /** So that the load goes on while the collector is away. */
  private static final int OBJECTS_A_SECOND = 10;

  /** Before anything is broken at the latest. */
  private static final int LATEST_BEGIN = 40;

  /** After it has healed, at least. */
  private static final int OBJECTS_AFTERWARDS = 60;

  private static final int WORKERS = 4;

  /** Longer than the silence after which a client of the collector connects anew, 15 s. */
  private static final int LONG_FOR_A_COLLECTOR_SECONDS = 17;

  /** Longer than the silence after which the driver gives a request up, 120 s. */
  private static final int LONG_FOR_FEDORA_SECONDS = 125;

  /** Every line that Fedora logs from its level on, one of them for each ingest. */
  private static final List<String> WHOLE_LOG =
      List.of("--log-level", "info", "--log-rate", "100000");

  private Network network;
  private Site site;
  private CollectorInForeground collector;
  private ObservedIngest latest;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    network = Network.createOrSkip();
    site =
        new Site(folder, "mptstore-postgresql", network.commandPrefix(), network.commandPrefix());
    collector = new CollectorInForeground(site.fedometer());
  }

  /** Cleans up after a failed test. */
  @AfterEach
  void heal() throws Exception {
    network.heal();
    if (latest != null) {
      latest.close();
    }
  }

  @AfterAll
  void tearDown() throws Exception {
    if (network != null) {
      try (Network last = network) {
        if (site != null) {
          site.close();
        }
      }
    }
  }

  @Test
  void samplesThatACutHeldUpArriveOnce() throws Exception {
    Trials.of(
        "network-cut-collector",
        trial -> breakCollectorConnection(trial, "cut-c-", Network.Fault.CUT));
  }

  @Test
  @Tag("endurance")
  void framesWhoseAcknowledgementsVanishedAreSentAgainAndCountOnce() throws Exception {
    Trials.of(
        "network-half-open-collector",
        trial -> breakCollectorConnection(trial, "half-c-", Network.Fault.HALF_OPEN));
  }

  private void breakCollectorConnection(Trials.Trial trial, String prefix, Network.Fault fault)
      throws Exception {
    String name = prefix + trial.number();
    boolean isLong = trial.choose(2) == 1;
    int seconds =
        isLong
            ? trial.between(LONG_FOR_A_COLLECTOR_SECONDS, LONG_FOR_A_COLLECTOR_SECONDS + 8)
            : trial.between(1, 8);
    int moment = trial.between(5, LATEST_BEGIN);
    int objects = LATEST_BEGIN + seconds * OBJECTS_A_SECOND + OBJECTS_AFTERWARDS;
    ObservedIngest ingest = ingest(name, objects, directly(), OBJECTS_A_SECOND);
    ingest.awaitBegun(moment);

    network.breakAt(collector.port(), fault);
    long brokenNanos = System.nanoTime();
    long begun = ingest.begun();
    TestDelay.sleep(Duration.ofSeconds(seconds));
    assertThat(ingest.begun()).as("the ingest goes on").isGreaterThan(begun);
    JsonNode agent = ingest.agent();
    assertThat(agent.get("queuedBytes").asLong()).as("what waits: %s", agent).isPositive();
    if (isLong) {
      assertThat(agent.get("connected").asBoolean()).as("the agent has hung up").isFalse();
    }
    network.heal();
    trial.noteSecondsSince("outageSeconds", brokenNanos);
    ingest.end();

    ingest.assertComplete();
    assertThat(ingest.queryNumber("count(*) FROM logs WHERE message LIKE 'Completed ingest(%'"))
        .as("lines of Fedora's log, one for each ingest")
        .isEqualTo(objects);
    long agents = connections(name, "agent");
    long drivers = connections(name, "driver");
    if (isLong) {
      assertThat(agents).as("the agent connected anew").isGreaterThan(1);
      assertThat(drivers).as("the driver connected anew").isGreaterThan(1);
    }
    trial.note("brokenAtObject", moment);
    trial.note("objects", objects);
    trial.note("samplesLost", 0);
    trial.note("framesMissing", 0);
    trial.note("connections", agents + drivers);
  }

  @Test
  @Tag("endurance")
  void latencyToTheCollectorChangesNoResult() throws Exception {
    Trials.of(
        "network-delay-collector",
        trial -> {
          try (RelayProcess relay = new RelayProcess(network.commandPrefix(), collector.port())) {
            String name = "delay-c-" + trial.number();
            int objects = 150;
            ObservedIngest ingest =
                ingest(
                    name,
                    objects,
                    new ObservedIngest.Ports(relay.port(), relay.port(), site.port()),
                    OBJECTS_A_SECOND);
            ingest.awaitBegun(trial.between(5, LATEST_BEGIN));
            int delayMillis = trial.between(100, 400);
            relay.delay(delayMillis);
            ingest.end();
            assertThat(relay.heal()).as("pieces that came late").isPositive();

            ingest.assertComplete();
            trial.note("delayMillis", delayMillis);
            trial.note("objects", objects);
            trial.note("samplesLost", 0);
          }
        });
  }

  @Test
  @Tag("endurance")
  void anIngestWaitsForAFedoraThatIsCutOff() throws Exception {
    Trials.of(
        "network-cut-fedora", trial -> breakFedoraConnection(trial, "cut-f-", Network.Fault.CUT));
  }

  @Test
  @Tag("endurance")
  void waitsForAFedoraWhoseResponsesAreLost() throws Exception {
    Trials.of(
        "network-half-open-fedora",
        trial -> breakFedoraConnection(trial, "half-f-", Network.Fault.HALF_OPEN));
  }

  @Test
  @Tag("endurance")
  void anIngestWaitsForAFedoraThatRefusesEveryConnection() throws Exception {
    Trials.of(
        "network-torn-fedora",
        trial -> breakFedoraConnection(trial, "torn-f-", Network.Fault.TORN));
  }

  private void breakFedoraConnection(Trials.Trial trial, String prefix, Network.Fault fault)
      throws Exception {
    String name = prefix + trial.number();
    boolean isLong = trial.choose(2) == 1;
    int seconds =
        isLong
            ? trial.between(LONG_FOR_FEDORA_SECONDS, LONG_FOR_FEDORA_SECONDS + 20)
            : trial.between(2, 15);
    int moment = trial.between(5, LATEST_BEGIN);
    int objects = LATEST_BEGIN + OBJECTS_AFTERWARDS;
    ObservedIngest ingest = ingest(name, objects, directly(), 2 * OBJECTS_A_SECOND);
    ingest.awaitBegun(moment);

    network.breakAt(site.port(), fault);
    long begun = ingest.begun();
    TestDelay.sleep(Duration.ofSeconds(seconds));
    assertThat(ingest.begun())
        .as("nothing is begun but by workers that had just had their answer")
        .isLessThanOrEqualTo(begun + WORKERS);
    network.heal();
    ingest.end();

    JsonNode report = ingest.assertComplete();
    if (isLong || fault == Network.Fault.TORN) {
      assertThat(report.at("/outages").size()).as("the outage is on record").isPositive();
    }
    trial.note("brokenAtObject", moment);
    trial.note("outageSeconds", seconds);
    trial.note("outagesOnRecord", report.at("/outages").size());
    trial.note("objects", objects);
    trial.note("samplesLost", 0);
    trial.note(
        "requestsWithoutAnswer", ingest.queryNumber("count(*) FROM requests WHERE status = 0"));
  }

  @Test
  @Tag("endurance")
  void countsAnObjectWithALostResponseOnce() throws Exception {
    Trials.of(
        "network-answers-lost-fedora",
        trial -> {
          try (RelayProcess relay = new RelayProcess(network.commandPrefix(), site.port())) {
            String name = "lost-f-" + trial.number();
            int objects = LATEST_BEGIN + OBJECTS_AFTERWARDS;
            ObservedIngest ingest =
                ingest(
                    name,
                    objects,
                    new ObservedIngest.Ports(collector.port(), collector.port(), relay.port()),
                    OBJECTS_A_SECOND);
            int moment = trial.between(5, LATEST_BEGIN);
            ingest.awaitBegun(moment);
            int lost = trial.between(1, 8);
            relay.dropResponses(lost);
            ingest.end();

            ingest.assertComplete();
            long unanswered = ingest.queryNumber("count(*) FROM requests WHERE status = 0");
            assertThat(unanswered).as("requests without an answer, on record").isPositive();
            trial.note("brokenAtObject", moment);
            trial.note("answersLost", lost);
            trial.note("requestsWithoutAnswer", unanswered);
            trial.note("objects", objects);
          }
        });
  }

  @Test
  @Tag("endurance")
  void latencyToFedoraCostsTimeOnly() throws Exception {
    Trials.of(
        "network-delay-fedora",
        trial -> {
          try (RelayProcess relay = new RelayProcess(network.commandPrefix(), site.port())) {
            String name = "delay-f-" + trial.number();
            int objects = LATEST_BEGIN + OBJECTS_AFTERWARDS;
            ObservedIngest ingest =
                ingest(
                    name,
                    objects,
                    new ObservedIngest.Ports(collector.port(), collector.port(), relay.port()),
                    OBJECTS_A_SECOND);
            ingest.awaitBegun(trial.between(5, LATEST_BEGIN));
            int delayMillis = trial.between(100, 400);
            relay.delay(delayMillis);
            ingest.awaitBegun(objects);
            // Reading everything back would need minutes.
            assertThat(relay.heal()).as("pieces that came late").isPositive();
            ingest.end();

            ingest.assertComplete();
            long slow =
                ingest.queryNumber(
                    "count(*) FROM requests WHERE status = 201 AND duration_nanos >= "
                        + 2_000_000L * delayMillis);
            assertThat(slow).as("requests that took the way there and back").isPositive();
            trial.note("delayMillis", delayMillis);
            trial.note("objects", objects);
            trial.note("samplesLost", 0);
          }
        });
  }

  private ObservedIngest ingest(
      String name, int objects, ObservedIngest.Ports ways, int objectsPerSecond) throws Exception {
    latest =
        new ObservedIngest(
            site,
            name,
            objects,
            ways,
            WHOLE_LOG,
            "--rate",
            Integer.toString(objectsPerSecond),
            "--workers",
            Integer.toString(WORKERS));
    return latest;
  }

  private ObservedIngest.Ports directly() {
    return new ObservedIngest.Ports(collector.port(), collector.port(), site.port());
  }

  /**
   * How often a client came to the collector for this run, by the collector's log.
   *
   * @param kind {@code agent}, {@code driver}
   */
  private long connections(String name, String kind) {
    return collector
        .err()
        .lines()
        .filter(line -> line.contains(" connected from "))
        .filter(line -> line.contains(name + ": " + kind + " "))
        .count();
  }
}
