package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillsIT {
  private static final Duration PATIENCE = Site.PATIENCE;
  private static final int OBJECTS = 200;

  private Site site;
  private Path folder;

  @BeforeAll
  void bringUp(@TempDir Path temporary) throws Exception {
    folder = temporary;
    site = new Site(folder, "mptstore-postgresql");
  }

  @AfterAll
  void takeDown() throws Exception {
    site.close();
  }

  @Test
  @Tag("endurance")
  void aCollectorThatIsKilledAgainAndAgainHasEachFrameOnce() throws Exception {
    Trials.of(
        "collector-killed",
        trial -> {
          String name = "collector-" + trial.number();
          Set<Integer> moments = new TreeSet<>();
          for (int i = trial.between(1, 3); i > 0; i--) {
            moments.add(trial.between(10, OBJECTS - 10));
          }
          double away = 0;
          try (TimedIngest ingest = new TimedIngest(site, folder.resolve(name), name, OBJECTS)) {
            for (int moment : moments) {
              site.awaitBegun(ingest.driver(), name, moment);
              long killedNanos = System.nanoTime();
              ingest.killCollector();
              ingest.startCollector();
              away = Math.max(away, (System.nanoTime() - killedNanos) / 1e9);
            }
            trial.note("killedAtObjects", moments);
            trial.note("outageSeconds", Math.round(away * 10) / 10.0);
            ingest.assertAllIsKept(trial);
          }
        });
  }

  @Test
  @Tag("endurance-only")
  void aFedoraWhoseDatabaseIsKilledIsWaitedForUntilBothAreUpAgain() throws Exception {
    Trials.of(
        "postgresql-killed",
        trial -> {
          String name = "database-" + trial.number();
          ProcessHandle database = site.process("PostgreSQL");
          Fedometer.Call driver = site.startIngest(name, OBJECTS);
          int moment = trial.between(10, OBJECTS / 2);
          long killedNanos;
          try {
            site.awaitBegun(driver, name, moment);
            killedNanos = System.nanoTime();
            database.destroyForcibly();
            await()
                .atMost(PATIENCE)
                .failFast("the driver ended", () -> !driver.process().isAlive())
                .until(() -> driver.err().contains("its database may be gone"));
          } catch (ConditionTimeoutException | TerminalFailureException e) {
            driver.process().destroyForcibly();
            throw e;
          }
          trial.note("noticedSeconds", Math.round((System.nanoTime() - killedNanos) / 1e8) / 10.0);
          site.down();
          site.up();

          JsonNode report = site.reportAfterRepair(driver, name);
          trial.note("resumedSeconds", Math.round((System.nanoTime() - killedNanos) / 1e8) / 10.0);
          Reports.assertWhole(report, OBJECTS);
          assertThat(report.at("/outages/0/reason").asText()).contains("its database may be gone");
          trial.note("killedAtObject", moment);
          trial.note("objects", OBJECTS);
          trial.note("repaired", driver.process().exitValue() != ExitCode.DONE);
        });
  }
}
