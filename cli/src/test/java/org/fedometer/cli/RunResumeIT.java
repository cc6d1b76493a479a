package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run with a Fedora of its own whose driver is killed, then its Fedora, then its database: it
 * goes on each time, and ends with every object there, once and whole. One run, since bringing up a
 * Fedora is what takes long.
 */
@Tag("endurance")
class RunResumeIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long OBJECTS = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private Fedometer fedometer;

  @Test
  void aRunOutlivesItsDriverItsFedoraAndItsDatabase() throws Exception {
    fedometer = new Fedometer(folder);
    Fedometer.Call killed =
        fedometer.startWithStore(
            "run",
            "--dataset",
            "patents:small",
            "--objects",
            Long.toString(OBJECTS),
            "--workers",
            "4",
            "--rate",
            "60",
            "--name",
            "long",
            "--json");
    awaitBegun(killed, 60);
    Fedometer.Call second = fedometer.startWithStore("run", "--resume", "long").await(PATIENCE);
    killed.process().destroyForcibly().waitFor();
    assertThat(second.expect(ExitCode.COULD_NOT_START).err()).contains("its driver still runs");
    Path home = home();
    long fedora = pid(home, "Fedora");

    Fedometer.Call run =
        fedometer.startWithStore("run", "--resume", "long", "--rate", "40", "--json");
    awaitBegun(run, Journal.read(journal()).nextIndex() + 20);
    assertThat(pid(home, "Fedora")).as("it goes on with the same Fedora").isEqualTo(fedora);
    killAndAwaitRestart(run, home, "Fedora", "Fedora's process has ended");
    awaitBegun(run, Journal.read(journal()).nextIndex() + 20);
    killAndAwaitRestart(run, home, "PostgreSQL", "PostgreSQL's process has ended");

    run.await(PATIENCE);
    assertOutages();
    if (runJson().at("/state").asText().equals("done-with-errors")) {
      // Fedora was killed when it had just registered an object: its API can do nothing about that.
      assertThat(run.err())
          .as("%s", runJson().at("/requests/failures"))
          .contains("'fedometer repair --home " + home + "', then");
      fedometer.start("repair", "--home", home.toString()).await(PATIENCE).expect(ExitCode.DONE);
      run = fedometer.startWithStore("run", "--resume", "long", "--json").await(PATIENCE);
    }
    // 1 where the report cannot tell whether the last samples of the killed Fedora arrived.
    assertThat(run.process().exitValue()).isIn(ExitCode.DONE, ExitCode.DONE_WITH_ERRORS);
    Reports.assertWhole(run.json(), OBJECTS);
    assertThat(runJson().at("/state").asText()).isEqualTo("done");
    assertThat(home).as("nobody has to go on with it").doesNotExist();
    assertThat(journal()).doesNotExist();
    Fedometer.Call again = fedometer.startWithStore("run", "--resume", "long").await(PATIENCE);
    assertThat(again.expect(ExitCode.BAD_USAGE).err()).contains("has come to its end");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  private void assertOutages() throws IOException {
    JsonNode document = runJson();
    List<String> outages = new ArrayList<>();
    document
        .at("/outages")
        .forEach(
            outage ->
                outages.add(outage.at("/who").asText() + ": " + outage.at("/reason").asText()));
    assertThat(outages)
        .containsExactly(
            "driver: The driver was not running.",
            "fedora: Fedora's process has ended and was started again.",
            "fedora: PostgreSQL's process has ended and was started again.");
    assertThat(document.at("/profile/name").asText()).isEqualTo("mptstore-postgresql");
  }

  private JsonNode runJson() throws IOException {
    return JSON.readTree(fedometer.store().resolve("runs/long/run.json").toFile());
  }

  private void killAndAwaitRestart(Fedometer.Call run, Path home, String role, String words)
      throws IOException {
    ProcessHandle.of(pid(home, role)).orElseThrow().destroyForcibly();
    await()
        .atMost(PATIENCE)
        .failFast("it ended", () -> assertThat(run.process().isAlive()).as(run.err()).isTrue())
        .until(() -> run.err().contains(words) && after(run.err(), words).contains("is back."));
  }

  private static String after(String text, String words) {
    return text.substring(text.indexOf(words));
  }

  private void awaitBegun(Fedometer.Call driver, long objects) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptions()
        .failFast(
            "it ended", () -> assertThat(driver.process().isAlive()).as(driver.err()).isTrue())
        .until(() -> Journal.read(journal()).nextIndex() >= objects);
  }

  private Path journal() {
    return fedometer.store().resolve("journals").resolve("long");
  }

  private Path home() throws IOException {
    return Path.of(
        JSON.readTree(journal().resolve("job.json").toFile()).at("/stack/home").asText());
  }

  private static long pid(Path home, String role) throws IOException {
    long pid = 0;
    for (JsonNode process :
        JSON.readTree(Files.readAllBytes(home.resolve("stack.json"))).at("/session/processes")) {
      pid = process.at("/role").asText().equals(role) ? process.at("/pid").asLong() : pid;
    }
    assertThat(pid).as("process of " + role).isPositive();
    return pid;
  }
}
