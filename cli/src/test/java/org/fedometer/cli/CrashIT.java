package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest whose driver, or whose Fedora, is killed at some moment: resumed, and repaired where it
 * has to be, it ends with every object there, once and whole.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;
  private static final int OBJECTS = 100;

  private Site site;
  private Fedometer fedometer;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    site = new Site(folder, "mptstore-postgresql");
    fedometer = site.fedometer();
  }

  @AfterAll
  void tearDown() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  void aDriverThatIsKilledIsResumedAndNothingIsLostOrDoubled() throws Exception {
    Trials.of(
        "driver-killed",
        trial -> {
          String name = "driver-" + trial.number();
          Fedometer.Call driver = site.startIngest(name, OBJECTS);
          int moment = trial.between(10, OBJECTS / 2);
          site.awaitBegun(driver, name, moment);

          driver.process().destroyForcibly().waitFor();
          long begun = Journals.begun(site.journal(name));

          JsonNode report = site.resume(name).expect(ExitCode.DONE).json();
          Reports.assertComplete(report, OBJECTS);
          assertThat(report.at("/outages").size()).as("the driver was not there").isPositive();
          trial.note("killedAtObject", begun);
          trial.note("objects", OBJECTS);
          trial.note(
              "requestsMissing", Reports.assertRecordedOnce(fedometer, report, OBJECTS, begun));

          Fedometer.Call complete = site.resume(name).expect(ExitCode.DONE);
          assertThat(complete.err()).contains(name + " is complete; nothing to resume");
          JsonNode again = site.resume(name, "--verify", "sample").expect(ExitCode.DONE).json();
          Reports.assertComplete(again, OBJECTS);
          assertThat(again.at("/outages").size()).isEqualTo(report.at("/outages").size());
          assertThat(secondsOfLoad(again))
              .as("a driver that has nothing to load makes no load longer")
              .isCloseTo(secondsOfLoad(report), Offset.offset(0.1));
        });
  }

  @Test
  void waitsForAKilledFedoraAndReingestsLostObjects() throws Exception {
    Trials.of(
        "fedora-killed",
        trial -> {
          String name = "fedora-" + trial.number();
          Fedometer.Call driver = site.startIngest(name, OBJECTS);
          int moment = trial.between(10, OBJECTS / 2);
          site.awaitBegun(driver, name, moment);

          site.killFedoraAndBringItBack(driver);

          JsonNode report = site.reportAfterRepair(driver, name);
          Reports.assertComplete(report, OBJECTS);
          assertThat(report.at("/outages").size()).as("the outage is on record").isPositive();
          Reports.assertRecordedOnce(fedometer, report, OBJECTS, 0);
          trial.note("killedAtObject", moment);
          trial.note("objects", OBJECTS);
        });
  }

  @Test
  void resumesARunExclusivelyAndKeepsItsHistory() throws Exception {
    Fedometer.Call driver = site.startIngest("alone", 100_000);
    site.awaitBegun(driver, "alone", 10);

    Fedometer.Call second = site.resume("alone");

    second.expect(ExitCode.COULD_NOT_START);
    assertThat(second.err()).contains("its driver still runs");
    fedometer.start("load", "pause", "alone").await(TIMEOUT).expect(ExitCode.DONE);
    fedometer.start("load", "set", "alone", "--workers", "2").await(TIMEOUT).expect(ExitCode.DONE);
    fedometer.start("load", "stop", "alone").await(TIMEOUT).expect(ExitCode.DONE);
    driver.await(TIMEOUT).expect(ExitCode.INTERRUPTED);
    assertThat(driver.err()).contains("ingest --resume alone");

    JsonNode report =
        fedometer
            .startWithStore("ingest", "--resume", "alone", "--duration", "1s", "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    assertThat(report.at("/load/pauses").size()).as("of the driver before").isEqualTo(1);
    assertThat(report.at("/load/changes/0/workers").asInt()).isEqualTo(2);
  }

  @Test
  void shardsIngestEachObjectOnce() throws Exception {
    long before = site.triples();
    Fedometer.Call second = startShard(2);
    second.awaitOutput("Waiting for objects of other drivers of this run");
    Fedometer.Call first = startShard(1);

    first.await(TIMEOUT).expect(ExitCode.DONE);
    second.await(TIMEOUT).expect(ExitCode.DONE);

    JsonNode report = fedometer.startWithStore("report", "shared", "--json").await(TIMEOUT).json();
    assertThat(report.at("/objects/requested").asLong()).isEqualTo(60);
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(60);
    assertThat(report.at("/state").asText()).isEqualTo("done");
    assertThat(site.triples() - before).isEqualTo(report.at("/triples/expected").asLong());
    JsonNode verified = site.verifyEverything("shared");
    assertThat(verified.at("/objectsFound").asLong()).isEqualTo(60);
  }

  private static double secondsOfLoad(JsonNode report) {
    return OBJECTS / report.at("/throughput/objectsPerSecond").asDouble();
  }

  /** Starts a shard of a dataset whose first object contains all others. */
  private Fedometer.Call startShard(int number) throws IOException {
    return site.startIngest("shared", "nested", 60, "--shard", number + "/2", "--name", "shared");
  }
}
