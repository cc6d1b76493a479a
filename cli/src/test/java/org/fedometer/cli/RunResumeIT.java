package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run with its own Fedora whose driver is killed, then its Fedora, then its database: it
 * continues each time, and in the end every object exists, once and complete. One run, since
 * starting a Fedora is slow.
 */
@Tag("faults")
class RunResumeIT {
  private static final long OBJECTS = 500;

  @TempDir private Path folder;

  @Test
  void aRunOutlivesItsDriverItsFedoraAndItsDatabase() throws Exception {
    Trials.of(
        "run-killed",
        trial -> {
          try (ManagedRun run =
              new ManagedRun(
                  folder.resolve("trial-" + trial.number()), "long", OBJECTS, "--rate", "60")) {
            outlivesAll(trial, run);
          }
        });
  }

  private static void outlivesAll(Trials.Trial trial, ManagedRun run) throws Exception {
    run.awaitBegun(trial.between(10, 60));
    killDriver(run);
    long begunByKilled = run.begun();
    long fedora = run.process("Fedora").pid();

    run.resume("--rate", "40");
    run.awaitMore(trial.between(5, 30));
    assertThat(run.process("Fedora").pid()).as("it goes on with the same Fedora").isEqualTo(fedora);
    long begunByFedora = run.begun();
    run.killAndAwaitRestart("Fedora");
    run.awaitMore(trial.between(5, 30));
    long begunByDatabase = run.begun();
    run.killAndAwaitRestart("PostgreSQL");
    run.awaitEnd();

    assertThat(run.outages())
        .as("only the process that has started another one is told how that was killed")
        .map(outage -> outage.replaceFirst(" \\(\\w+ was killed by signal 9\\)", ""))
        .containsExactly(
            "driver: The driver was not running.",
            "fedora: Fedora's process has ended and was started again.",
            "fedora: PostgreSQL's process has ended and was started again.");
    assertThat(run.profile()).isEqualTo("mptstore-postgresql " + Fedometer.QUICK_COMPILER);
    trial.note("repaired", run.repairIfNeeded());
    run.assertComplete(trial, begunByKilled);
    trial.note("driverKilledAtObject", begunByKilled);
    trial.note("fedoraKilledAtObject", begunByFedora);
    trial.note("databaseKilledAtObject", begunByDatabase);

    run.resume();
    run.awaitEnd();
    assertThat(run.driver().expect(ExitCode.DONE).err()).contains("is complete; nothing to resume");
  }

  /** While it is there is no second one; it stands still, or a slow machine would see its end. */
  private static void killDriver(ManagedRun run) throws Exception {
    Fedometer.Call first = run.driver();
    first.signal("STOP");
    run.resume();
    run.awaitEnd();
    first.process().destroyForcibly().waitFor();
    assertThat(run.driver().expect(ExitCode.COULD_NOT_START).err())
        .contains("its driver still runs");
  }
}
