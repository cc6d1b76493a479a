package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills of stacks of other kinds than those of {@link CrashIT} and {@link RunResumeIT}: a Fedora
 * with Mulgara, and MySQL under a run.
 */
@Tag("endurance-only")
class KilledStacksIT {
  private static final Duration PATIENCE = Site.PATIENCE;

  /** Of what is flushed slowly, much may have to be looked at in the end. */
  private static final Duration RUN_PATIENCE = Duration.ofMinutes(15);

  private static final int OBJECTS = 300;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void aFedoraWithMulgaraThatIsKilledHasItsTriplesAgain() throws Exception {
    try (Site site = new Site(folder, "mulgara-derby")) {
      Trials.of(
          "mulgara-killed",
          trial -> {
            String name = "mulgara-" + trial.number();
            ProcessHandle fedora = site.process("Fedora");
            Fedometer.Call driver = site.startIngest(name, OBJECTS);
            int moment = trial.between(10, OBJECTS / 2);
            site.awaitBegun(driver, name, moment);

            fedora.destroyForcibly();
            await()
                .atMost(PATIENCE)
                .failFast("the driver ended", () -> !driver.process().isAlive())
                .until(() -> driver.err().contains("Fedora is out of reach"));
            site.down();
            site.up();

            JsonNode report = site.reportAfterRepair(driver, name);
            Reports.assertWhole(report, OBJECTS);
            assertThat(report.at("/outages").size()).as("the outage is on record").isPositive();
            trial.note("killedAtObject", moment);
            trial.note("objects", OBJECTS);
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
    Fedometer fedometer =
        new Fedometer(Files.createDirectories(folder.resolve("trial-" + trial.number())));
    String name = "killed";
    Fedometer.Call run =
        fedometer.startWithStore(
            "run",
            "--profile",
            profile,
            "--set",
            Fedometer.QUICK_COMPILER,
            "--dataset",
            "patents:small",
            "--objects",
            Integer.toString(OBJECTS),
            "--workers",
            "4",
            "--rate",
            "40",
            "--confirm-every",
            "1s",
            "--name",
            name,
            "--json");
    Path journal = fedometer.store().resolve("journals").resolve(name);
    int moment = trial.between(10, OBJECTS / 2);
    awaitBegun(run, journal, moment);
    Path home =
        Path.of(JSON.readTree(journal.resolve("job.json").toFile()).at("/stack/home").asText());

    long killedNanos = System.nanoTime();
    process(home, server).destroyForcibly();
    await()
        .atMost(PATIENCE)
        .failFast("it ended", () -> assertThat(run.process().isAlive()).as(run.err()).isTrue())
        .until(
            () ->
                run.err().contains(server + "'s process has ended")
                    && run.err().contains("is back."));
    trial.note("outageSeconds", Math.round((System.nanoTime() - killedNanos) / 1e8) / 10.0);

    Fedometer.Call last = run.await(RUN_PATIENCE);
    JsonNode document = JSON.readTree(fedometer.store().resolve("runs/killed/run.json").toFile());
    if (document.at("/state").asText().equals("done-with-errors")) {
      assertThat(last.err())
          .as("%s", document.at("/requests/failures"))
          .contains("'fedometer repair --home " + home + "', then");
      fedometer.start("repair", "--home", home.toString()).await(PATIENCE).expect(ExitCode.DONE);
      last = fedometer.startWithStore("run", "--resume", name, "--json").await(RUN_PATIENCE);
      trial.note("repaired", true);
    }
    // 1 where the report cannot tell whether the last samples of the ended Fedora arrived.
    assertThat(last.process().exitValue())
        .as(last.err())
        .isIn(ExitCode.DONE, ExitCode.DONE_WITH_ERRORS);
    Reports.assertWhole(last.json(), OBJECTS);
    assertThat(document.at("/outages")).as("told once").hasSize(1);
    assertThat(document.at("/outages/0/reason").asText())
        .isEqualTo(server + "'s process has ended and was started again.");
    assertThat(home).as("nobody has to go on with it").doesNotExist();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
    trial.note("killedAtObject", moment);
    trial.note("objects", OBJECTS);
    trial.note("samplesLost", last.json().at("/samples/lost").asLong());
  }

  private static void awaitBegun(Fedometer.Call driver, Path journal, long objects) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptions()
        .failFast(
            "it ended", () -> assertThat(driver.process().isAlive()).as(driver.err()).isTrue())
        .until(() -> Journal.read(journal).nextIndex() >= objects);
  }

  private static ProcessHandle process(Path home, String role) throws IOException {
    JsonNode stack = JSON.readTree(Files.readAllBytes(home.resolve("stack.json")));
    for (JsonNode process : stack.at("/session/processes")) {
      if (process.at("/role").asText().equals(role)) {
        return ProcessHandle.of(process.at("/pid").asLong()).orElseThrow();
      }
    }
    throw new AssertionError("no process of " + role + ": " + stack.at("/session/processes"));
  }
}
