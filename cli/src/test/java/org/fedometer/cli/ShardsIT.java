package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Eight drivers load one Fedora, and one of them is killed: together they have loaded one run. */
@Tag("endurance-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardsIT {
  private static final int DRIVERS = 8;
  private static final int OBJECTS = 800;

  private Site site;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    site = new Site(folder, "mptstore-postgresql");
  }

  @AfterAll
  void takeDown() throws Exception {
    site.close();
  }

  @Test
  void aDriverOfEightThatIsKilledIsResumedAndTheirRunIsWhole() throws Exception {
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
          int moment = trial.between(1, OBJECTS / DRIVERS / 2);
          Fedometer.Call killed = drivers.remove(victim - 1);
          site.awaitBegun(killed, part(name, victim), moment);

          killed.process().destroyForcibly().waitFor();

          drivers.add(site.resume(part(name, victim)));
          for (Fedometer.Call driver : drivers) {
            driver.await(Site.PATIENCE).expect(ExitCode.DONE);
          }
          // It ends with 1, for no agent has sent a sample.
          JsonNode report =
              site.fedometer()
                  .startWithStore("report", name, "--json")
                  .await(Site.PATIENCE)
                  .expect(ExitCode.DONE_WITH_ERRORS)
                  .json();
          assertThat(report.at("/objects/requested").asLong()).isEqualTo(OBJECTS);
          assertThat(report.at("/objects/ingested").asLong()).isEqualTo(OBJECTS);
          assertThat(report.at("/objects/failed").asLong()).isZero();
          assertThat(report.at("/state").asText()).isEqualTo("done");
          assertThat(site.triples() - triplesBefore)
              .isEqualTo(report.at("/triples/expected").asLong());
          JsonNode verified = verifyEverything(name);
          assertThat(verified.at("/ok").asBoolean()).isTrue();
          assertThat(verified.at("/objectsFound").asLong()).as("none twice").isEqualTo(OBJECTS);
          assertThat(verified.at("/equal").asLong()).isEqualTo(OBJECTS);
          long onRecord = objectsOnRecord(name);
          assertThat(onRecord).isLessThanOrEqualTo(OBJECTS);
          trial.note("drivers", DRIVERS);
          trial.note("killedAtObject", moment);
          trial.note("objects", OBJECTS);
          trial.note("requestsMissing", OBJECTS - onRecord);
        });
  }

  private Fedometer.Call startShard(String name, int number) throws IOException {
    return site.startIngest(
        name,
        "patents:small",
        OBJECTS,
        "--longest-literal",
        "2692",
        "--shard",
        number + "/" + DRIVERS,
        "--name",
        name);
  }

  private static String part(String name, int number) {
    return name + "." + number + "-of-" + DRIVERS;
  }

  private JsonNode verifyEverything(String name) throws Exception {
    return json(
        site.fedometer()
            .startWithStore(
                "verify",
                name,
                "--everything",
                "--target",
                site.target().toString(),
                "--password-file",
                site.passwordFile().toString(),
                "--json"));
  }

  /** Objects of which a request is in the table of them that Fedora has acknowledged. */
  private long objectsOnRecord(String name) throws Exception {
    return json(site.fedometer()
            .startWithStore(
                "query",
                "SELECT count(DISTINCT object_index) AS objects FROM requests"
                    + " WHERE status = 201",
                "--run",
                name,
                "--format",
                "json"))
        .at("/0/objects")
        .asLong();
  }

  private static JsonNode json(Fedometer.Call call) throws Exception {
    return call.await(Site.PATIENCE).expect(ExitCode.DONE).json();
  }
}
