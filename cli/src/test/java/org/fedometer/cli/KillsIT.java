package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

/**
 * An ingest whose collector is killed, or the database behind its Fedora. {@link CrashIT} is about
 * its driver and Fedora, {@link KilledStacksIT} about Fedoras and databases of other kinds.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillsIT {
  private static final int OBJECTS = 100;

  private Site site;
  private Path folder;

  @BeforeAll
  void bringUp(@TempDir Path temporary) throws Exception {
    folder = temporary;
    site = new Site(folder, "mptstore-postgresql");
  }

  @AfterAll
  void tearDown() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  void aCollectorThatIsKilledAgainAndAgainHasEachFrameOnce() throws Exception {
    Trials.of(
        "collector-killed",
        trial -> {
          String name = "collector-" + trial.number();
          int kills = 1 + trial.choose(3);
          List<Long> killedAtObjects = new ArrayList<>();
          double away = 0;
          try (CollectorInForeground collector =
                  new CollectorInForeground(site.fedometer().withStore(folder.resolve(name)));
              ObservedIngest ingest =
                  new ObservedIngest(
                      site,
                      collector,
                      name,
                      ObservedIngest.ENDLESS,
                      List.of(),
                      "--rate",
                      "30",
                      "--workers",
                      "4")) {
            for (int kill = 0; kill < kills; kill++) {
              ingest.awaitMore(trial.between(5, 50));
              killedAtObjects.add(ingest.begun());
              long killedNanos = System.nanoTime();
              collector.kill();
              collector.start();
              away = Math.max(away, (System.nanoTime() - killedNanos) / 1e9);
            }
            ingest.awaitMore(10);
            ingest.cutShort();
            collector.stop();
            trial.note("killedAtObjects", killedAtObjects);
            trial.note("outageSeconds", Math.round(away * 10) / 10.0);
            ingest.assertUndisturbed(trial);
          }
        });
  }

  @Test
  @Tag("endurance")
  void waitsUntilAKilledDatabaseIsBack() throws Exception {
    Trials.of(
        "postgresql-killed",
        trial -> {
          String name = "database-" + trial.number();
          Fedometer.Call driver = site.startIngest(name, OBJECTS);
          int moment = trial.between(10, OBJECTS / 2);
          site.awaitBegun(driver, name, moment);
          long killedNanos = System.nanoTime();
          site.process("PostgreSQL").destroyForcibly();
          driver.awaitOutput("its database may be gone");
          trial.noteSecondsSince("noticedSeconds", killedNanos);
          site.down();
          site.up();

          JsonNode report = site.reportAfterRepair(driver, name);
          trial.noteSecondsSince("resumedSeconds", killedNanos);
          Reports.assertComplete(report, OBJECTS);
          assertThat(report.at("/outages/0/reason").asText()).contains("its database may be gone");
          Reports.assertRecordedOnce(site.fedometer(), report, OBJECTS, 0);
          trial.note("killedAtObject", moment);
          trial.note("objects", OBJECTS);
          trial.note("repaired", driver.process().exitValue() != ExitCode.DONE);
        });
  }
}
