package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Eight drivers load one Fedora, and one of them is killed: together they have loaded one run. */
@Tag("endurance")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardsIT {
  private static final int DRIVERS = 8;
  private static final int OBJECTS = 800;
  private static final ObjectMapper JSON = new ObjectMapper();

  private Site site;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    site = new Site(folder, "mptstore-postgresql");
  }

  @AfterAll
  void tearDown() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  void resumesAKilledShard() throws Exception {
    Trials.of(
        "driver-of-eight-killed",
        trial -> {
          String name = "shards-" + trial.number();
          long triplesBefore = site.triples();
          List<Fedometer.Call> drivers = new ArrayList<>();
          for (int number = 1; number <= DRIVERS; number++) {
            drivers.add(startShard(name, number));
          }
          int victim = trial.between(1, DRIVERS);
          // Journals count all objects up to the last one begun, also those of other drivers.
          int moment = DRIVERS * trial.between(1, OBJECTS / DRIVERS / 2);
          Fedometer.Call killed = drivers.remove(victim - 1);
          site.awaitBegun(killed, part(name, victim), moment);

          killed.process().destroyForcibly().waitFor();
          long begun = Journals.begun(site.journal(part(name, victim)));

          drivers.add(site.resume(part(name, victim)));
          for (Fedometer.Call driver : drivers) {
            driver.await(Site.TIMEOUT).expect(ExitCode.DONE);
          }
          JsonNode report =
              site.fedometer().startWithStore("report", name, "--json").await(Site.TIMEOUT).json();
          assertThat(report.at("/objects/requested").asLong()).isEqualTo(OBJECTS);
          assertThat(report.at("/objects/ingested").asLong()).isEqualTo(OBJECTS);
          assertThat(report.at("/objects/failed").asLong()).isZero();
          assertThat(report.at("/state").asText()).isEqualTo("done");
          assertThat(site.triples() - triplesBefore)
              .isEqualTo(report.at("/triples/expected").asLong());
          JsonNode verified = site.verifyEverything(name);
          assertThat(verified.at("/ok").asBoolean()).isTrue();
          assertThat(verified.at("/objectsFound").asLong()).as("none twice").isEqualTo(OBJECTS);
          assertThat(verified.at("/equal").asLong()).isEqualTo(OBJECTS);
          long missing =
              Reports.assertRecordedOnce(
                  site.fedometer(), report, OBJECTS, objectsOf(victim, begun));
          Reports.assertNoProblemsExcept(report, "The run folder lacks requests");
          assertThat(outagesOfPart(name, victim))
              .as("an outage of the part; none of the run, as others were there")
              .containsExactly("driver: The driver was not running.");
          assertThat(report.at("/problems").toString())
              .contains("The drivers of these parts had outages: " + victim + "/" + DRIVERS);
          trial.note("drivers", DRIVERS);
          trial.note("killedAtItsObject", objectsOf(victim, begun));
          trial.note("objects", OBJECTS);
          trial.note("requestsMissing", missing);
        });
  }

  private Fedometer.Call startShard(String name, int number) throws IOException {
    return site.startIngest(
        name,
        "patents:small",
        OBJECTS,
        "--max-literal",
        "2692",
        "--shard",
        number + "/" + DRIVERS,
        "--name",
        name);
  }

  private static String part(String name, int number) {
    return name + "." + number + "-of-" + DRIVERS;
  }

  /** How many of its own objects a driver has begun. */
  private static long objectsOf(int number, long begun) {
    return (begun + DRIVERS - number) / DRIVERS;
  }

  /** Each by who was away and why. */
  private List<String> outagesOfPart(String name, int number) throws IOException {
    Path part =
        site.fedometer()
            .store()
            .resolve("runs")
            .resolve(name)
            .resolve("parts")
            .resolve(number + "-of-" + DRIVERS + ".json");
    List<String> outages = new ArrayList<>();
    for (JsonNode outage : JSON.readTree(part.toFile()).at("/outages")) {
      outages.add(outage.at("/who").asText() + ": " + outage.at("/reason").asText());
    }
    return outages;
  }
}
