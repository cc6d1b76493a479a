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
import java.util.Arrays;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;

/**
 * A {@code run} of patents with a Fedora of its own, whose processes a test kills. For one thread.
 */
final class ManagedRun implements AutoCloseable {
  private static final Duration TIMEOUT = Site.TIMEOUT;

  /** Allows for many checks at the end if flushes are slow. */
  private static final Duration END_TIMEOUT = Duration.ofMinutes(15);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Fedometer fedometer;
  private final String name;
  private final long objects;
  private Fedometer.Call latest;

  /** Home of its Fedora and database; known once an object was begun. */
  private Path home;

  /**
   * Starts it.
   *
   * @param folder its own, made where it is missing
   * @param options of {@code run}
   */
  ManagedRun(Path folder, String name, long objects, String... options) throws IOException {
    this.fedometer = new Fedometer(Files.createDirectories(folder));
    this.name = name;
    this.objects = objects;
    List<String> arguments = new ArrayList<>(List.of("run", "--name", name, "--json"));
    arguments.addAll(List.of("--set", Fedometer.QUICK_COMPILER));
    arguments.addAll(List.of("--dataset", "patents:small", "--objects", Long.toString(objects)));
    arguments.addAll(List.of("--workers", "4"));
    arguments.addAll(Arrays.asList(options));
    latest = fedometer.startWithStore(arguments.toArray(String[]::new));
  }

  /** The command that was last started. */
  Fedometer.Call driver() {
    return latest;
  }

  private Path journal() {
    return Journals.of(fedometer, name);
  }

  long begun() throws IOException {
    return Journals.begun(journal());
  }

  /** Until it has begun so many objects. */
  void awaitBegun(long objects) throws IOException {
    Journals.awaitBegun(latest, journal(), objects);
    home =
        Path.of(JSON.readTree(journal().resolve("job.json").toFile()).at("/stack/home").asText());
  }

  /** Until it has begun so many objects more than it has now. */
  void awaitMore(long objects) throws IOException {
    Journals.awaitMore(latest, journal(), objects);
  }

  /**
   * A process of its stack.
   *
   * @param role {@code Fedora}, {@code PostgreSQL}, {@code MySQL}, {@code MariaDB}
   */
  ProcessHandle process(String role) throws IOException {
    return Site.process(home, role);
  }

  /** Goes on with it by {@code --resume}, and returns at once. */
  void resume(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", "--resume", name, "--json"));
    arguments.addAll(Arrays.asList(options));
    latest = fedometer.startWithStore(arguments.toArray(String[]::new));
  }

  /** Kills a process of its stack, and waits until the run has started again what it needs. */
  void killAndAwaitRestart(String role) throws IOException {
    String ended = role + "'s process has ended";
    process(role).destroyForcibly();
    await()
        .atMost(TIMEOUT)
        .failFast(
            "it ended", () -> assertThat(latest.process().isAlive()).as(latest.err()).isTrue())
        .until(
            () -> {
              String errors = latest.err();
              return errors.contains(ended)
                  && errors.substring(errors.indexOf(ended)).contains("is back.");
            });
  }

  /** Waits for the command's end, whatever that is. */
  void awaitEnd() throws InterruptedException {
    latest.await(END_TIMEOUT);
  }

  /**
   * Repairs and resumes a run that ended with errors, as its own message advises: if Fedora was
   * killed just after registering an object, its API cannot repair that.
   *
   * @return whether a repair was necessary
   */
  boolean repairIfNeeded() throws Exception {
    if (!document().at("/state").asText().equals("done-with-errors")) {
      return false;
    }
    assertThat(latest.err())
        .as("%s", document().at("/requests/failures"))
        .contains("'fedometer stack repair --home " + home + "', then");
    fedometer
        .start("stack", "repair", "--home", home.toString())
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    resume();
    awaitEnd();
    return true;
  }

  /**
   * Checks that every object exists, once and complete. Each request is recorded once; the only
   * faults are those that killing a Fedora or a database causes. Nothing is left of the stack.
   *
   * @param maxRequestsMissing 0, or more if the driver was killed
   */
  void assertComplete(Trials.Trial trial, long maxRequestsMissing) throws Exception {
    // 1 if it is unknown whether the last samples of a killed Fedora arrived.
    assertThat(latest.process().exitValue())
        .as(latest.err())
        .isIn(ExitCode.DONE, ExitCode.DONE_WITH_ERRORS);
    JsonNode report = latest.json();
    Reports.assertComplete(report, objects);
    assertThat(report.at("/state").asText()).isEqualTo("done");
    Reports.assertNoProblemsExcept(
        report,
        // The last samples of an agent.
        "ended without its final totals",
        // A flush during which the database was killed: lost objects were ingested again.
        "of triples failed");
    long missing = Reports.assertRecordedOnce(fedometer, report, objects, maxRequestsMissing);
    assertThat(home).as("no run has to resume it").doesNotExist();
    assertThat(journal()).doesNotExist();
    trial.note("objects", objects);
    trial.note("requestsMissing", missing);
    trial.note("samples", report.at("/samples/received").asLong());
    trial.note("samplesLost", report.at("/samples/lost").asLong());
  }

  /** {@code run.json}. */
  private JsonNode document() throws IOException {
    return JSON.readTree(
        fedometer.store().resolve("runs").resolve(name).resolve("run.json").toFile());
  }

  /** All outages on record, each by who was away and why. */
  List<String> outages() throws IOException {
    List<String> outages = new ArrayList<>();
    for (JsonNode outage : document().at("/outages")) {
      outages.add(outage.at("/who").asText() + ": " + outage.at("/reason").asText());
    }
    return outages;
  }

  /** The profile's name on record. */
  String profile() throws IOException {
    return document().at("/profile/name").asText();
  }

  /** Ends what a test that failed has left; fails where a process is left. */
  @Override
  public void close() throws Exception {
    try {
      latest.process().destroy();
      latest.await(TIMEOUT);
    } finally {
      fedometer.endCalls();
      if (home != null && Files.exists(home)) {
        fedometer.start("stack", "down", "--home", home.toString(), "--delete").await(TIMEOUT);
      }
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }
}
