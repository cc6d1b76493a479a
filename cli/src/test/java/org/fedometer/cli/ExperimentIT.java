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
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Experiments with a profile and its copy, killed in the second run and resumed; and with a profile
 * that cannot run. Few and small, since starting Fedoras is slow.
 */
@Tag("fedora")
class ExperimentIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private Fedometer fedometer;

  @Test
  void resumesAKilledExperimentAndKeepsCompleteRuns() throws Exception {
    fedometer = new Fedometer(folder);
    String file = write();
    JsonNode planned =
        fedometer
            .startWithStore("experiment", file, "--dry-run", "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    assertThat(planned.at("/runs")).hasSize(2);
    assertThat(planned.at("/basis").asText()).startsWith("default values");
    assertThat(fedometer.store()).as("nothing is begun").doesNotExist();
    String first = planned.at("/runs/0/run").asText();
    String second = planned.at("/runs/1/run").asText();

    Fedometer.Call killed = fedometer.startWithStore("experiment", file);
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(50))
        .failFast(() -> assertThat(killed.process().isAlive()).as(killed.err()).isTrue())
        .until(() -> isLoading(second));
    killed.process().destroyForcibly().waitFor();
    assertThat(states()).containsExactlyInAnyOrder(first + " done", second + " running");
    assertThat(
            fedometer
                .startWithStore("experiment", file)
                .await(TIMEOUT)
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("has 2 runs of an experiment aa", "--resume");
    String changed = Files.readString(Path.of(file)).replace("measured: 20", "measured: 21");
    Path other = Files.writeString(folder.resolve("other.yaml"), changed);
    assertThat(
            fedometer
                .startWithStore("experiment", other.toString(), "--resume")
                .await(TIMEOUT)
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("objects was 30 and is 31");
    String begun = runJson(first).toString();

    Fedometer.Call resumed =
        fedometer.startWithStore("experiment", file, "--resume", "--json").await(TIMEOUT);

    JsonNode outcome = resumed.expect(ExitCode.DONE).json();
    assertThat(outcome.at("/missing").asInt()).isZero();
    assertThat(outcome.at("/runs/0/run").asText()).isEqualTo(first);
    assertThat(outcome.at("/runs/1/run").asText()).isEqualTo(second + ".2");
    assertThat(states())
        .containsExactlyInAnyOrder(first + " done", second + " interrupted", second + ".2 done");
    assertThat(runJson(first).toString()).as("a whole run stays as it is").isEqualTo(begun);
    assertThat(runJson(second).at("/failure/message").asText()).contains("set aside");
    assertPosition(runJson(second + ".2"), outcome.at("/id").asText());
    assertThat(fedometer.store().resolve("runs").resolve(first).resolve("experiment.json"))
        .content()
        .contains("\"seed\" : 2", "profile: mulgara-derby");
    try (Stream<Path> homes = Files.list(fedometer.store().resolve("homes"))) {
      assertThat(homes).as("Fedoras that are left").isEmpty();
    }

    Fedometer.Call again = fedometer.startWithStore("experiment", file, "--resume").await(TIMEOUT);
    assertThat(again.expect(ExitCode.DONE).err()).contains("all its runs are complete");
    JsonNode known =
        fedometer
            .startWithStore("experiment", file, "--name", "more", "--dry-run", "--json")
            .await(TIMEOUT)
            .json();
    assertThat(known.at("/basis").asText()).isEqualTo("earlier runs of the same profile and load");
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  @Test
  void skipsAFailingProfileAndRetriesItOnResume() throws Exception {
    fedometer = new Fedometer(folder);
    String file =
        Files.writeString(
                folder.resolve("broken.yaml"),
                """
                name: broken
                profiles:
                  - {name: nowhere, profile: none-derby, set: {jvm.home: /nowhere}}
                dataset: ndltd:W1
                warm: 1
                measured: 1
                page-cache: warm
                """)
            .toString();

    Fedometer.Call call = fedometer.startWithStore("experiment", file, "--json").await(TIMEOUT);

    JsonNode outcome = call.expect(ExitCode.COULD_NOT_START).json();
    assertThat(outcome.at("/missing").asInt()).isEqualTo(3);
    assertThat(outcome.at("/runs/0/state").asText()).isEqualTo("failed");
    assertThat(outcome.at("/runs/1/state").asText()).isEqualTo("planned");
    assertThat(call.err())
        .contains("/nowhere", "3 runs are missing: 'fedometer experiment " + file, " --resume'");
    fedometer
        .startWithStore("experiment", file, "--resume")
        .await(TIMEOUT)
        .expect(ExitCode.COULD_NOT_START);
    assertThat(states())
        .containsExactlyInAnyOrder("broken.1.nowhere failed", "broken.1.nowhere.2 failed");
    Fedometer.Call report = fedometer.startWithStore("report", "broken").await(TIMEOUT);
    assertThat(report.expect(ExitCode.BAD_USAGE).err())
        .contains("broken is an experiment", "broken.1.nowhere, broken.1.nowhere.2");
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  private String write() throws IOException {
    return Files.writeString(
            folder.resolve("aa.yaml"),
            """
            name: aa
            profiles:
              - name: original
                profile: mulgara-derby
                set: {QUICK}
              - name: copy
                profile: mulgara-derby
                set: {QUICK}
            dataset: patents:small
            rate: 10
            workers: 4
            warm: 10
            measured: 20
            repetitions: 1
            seed: 2
            page-cache: warm
            """
                .replace("QUICK", Fedometer.QUICK_COMPILER.replaceFirst("=", ": ")))
        .toString();
  }

  private static void assertPosition(JsonNode document, String id) {
    JsonNode position = document.at("/experiment");
    assertThat(position.at("/id").asText()).isEqualTo(id);
    assertThat(position.at("/name").asText()).isEqualTo("aa");
    assertThat(position.at("/label").asText()).isIn("original", "copy");
    assertThat(position.at("/baseline").asText()).isEqualTo("original");
    assertThat(position.at("/block").asInt()).isEqualTo(1);
    assertThat(position.at("/place").asInt()).isEqualTo(2);
    assertThat(position.at("/attempt").asInt()).isEqualTo(2);
    assertThat(position.at("/warmObjects").asInt()).isEqualTo(10);
    assertThat(position.at("/pageCache").asText()).isEqualTo("warm");
    assertThat(document.at("/objects/ingested").asInt()).isEqualTo(30);
  }

  /** Its Fedora is up: all that comes before is on record. */
  private boolean isLoading(String run) throws IOException {
    if (!Files.exists(document(run))) {
      return false;
    }
    for (JsonNode phase : runJson(run).at("/phases")) {
      if (phase.at("/name").asText().equals("start")) {
        return true;
      }
    }
    return false;
  }

  /** Returns the states of all runs. */
  private List<String> states() throws IOException {
    List<String> states = new ArrayList<>();
    try (Stream<Path> runs = Files.list(fedometer.store().resolve("runs"))) {
      for (Path run : runs.toList()) {
        String name = run.getFileName().toString();
        states.add(name + " " + runJson(name).at("/state").asText());
      }
    }
    return states;
  }

  private JsonNode runJson(String run) throws IOException {
    return JSON.readTree(document(run).toFile());
  }

  private Path document(String run) {
    return fedometer.store().resolve("runs").resolve(run).resolve("run.json");
  }
}
