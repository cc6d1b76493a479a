package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills of stacks of other kinds than those of {@link CrashIT} and {@link RunResumeIT}: a Fedora
 * with Mulgara, and MySQL and MariaDB under a run.
 */
@Tag("endurance")
class KilledStacksIT {
  private static final int OBJECTS = 300;

  @TempDir private Path folder;

  @Test
  void aFedoraWithMulgaraThatIsKilledHasItsTriplesAgain() throws Exception {
    try (Site site = new Site(folder, "mulgara-derby")) {
      Trials.of(
          "mulgara-killed",
          trial -> {
            String name = "mulgara-" + trial.number();
            Fedometer.Call driver = site.startIngest(name, OBJECTS);
            int moment = trial.between(10, OBJECTS / 2);
            site.awaitBegun(driver, name, moment);

            site.killFedoraAndBringItBack(driver);

            JsonNode report = site.reportAfterRepair(driver, name);
            Reports.assertComplete(report, OBJECTS);
            assertThat(report.at("/outages").size()).as("the outage is on record").isPositive();
            Reports.assertRecordedOnce(site.fedometer(), report, OBJECTS, 0);
            trial.note("killedAtObject", moment);
            trial.note("objects", OBJECTS);
            trial.note("repaired", driver.process().exitValue() != ExitCode.DONE);
          });
    }
  }

  @Test
  void aMySqlThatIsKilledIsStartedAgainWithItsFedora() throws Exception {
    Trials.of("mysql-killed", trial -> killDatabase(trial, "mptstore-mysql", "MySQL"));
  }

  @Test
  void aMariaDbThatIsKilledIsStartedAgainWithItsFedora() throws Exception {
    Trials.of("mariadb-killed", trial -> killDatabase(trial, "mulgara-mariadb", "MariaDB"));
  }

  private void killDatabase(Trials.Trial trial, String profile, String server) throws Exception {
    try (ManagedRun run =
        new ManagedRun(
            folder.resolve("trial-" + trial.number()),
            "killed",
            OBJECTS,
            "--profile",
            profile,
            "--rate",
            "40",
            "--confirm-interval",
            "1s")) {
      int moment = trial.between(10, OBJECTS / 2);
      run.awaitBegun(moment);

      long killedNanos = System.nanoTime();
      run.killAndAwaitRestart(server);
      trial.noteSecondsSince("outageSeconds", killedNanos);
      run.awaitEnd();

      assertThat(run.outages())
          .as("told once")
          .containsExactly(
              "fedora: "
                  + server
                  + "'s process has ended ("
                  + server
                  + " was killed by signal 9) and was started again.");
      trial.note("repaired", run.repairIfNeeded());
      run.assertComplete(trial, 0);
      trial.note("killedAtObject", moment);
    }
  }
}
