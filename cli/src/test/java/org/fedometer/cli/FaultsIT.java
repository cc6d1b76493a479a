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
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interrupted runs on a real Fedora: no process is left, and the run has the cause. */
@Tag("faults")
class FaultsIT {
  private static final Duration UP = Duration.ofMinutes(8);
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** More than any of these tests ingests. */
  private static final String MANY = "100000";

  @TempDir private Path folder;

  @Test
  void ctrlCInTheMidstOfAnIngestStopsEverythingAndLeavesAReadableRun() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    var run = startIngest(fedometer, "interrupted", "mptstore-postgresql");

    new ProcessBuilder("kill", "-INT", Long.toString(run.process().pid())).start().waitFor();

    run.await(TIMEOUT).expect(ExitCode.INTERRUPTED);
    assertThat(run.err()).contains("fedometer run --resume interrupted", "--delete");
    assertNothingLeft(fedometer);
    assertThat(document(fedometer, "interrupted").at("/state").asText()).isEqualTo("interrupted");
    var report = fedometer.startWithStore("report", "interrupted", "--json").await(TIMEOUT);
    report.expect(ExitCode.DONE_WITH_ERRORS);
    assertThat(report.json().at("/objects/ingested").asLong()).isPositive();
    assertThat(report.json().at("/samples/received").asLong()).isPositive();
    assertThat(report.json().at("/samples/lost").asLong()).isZero();
  }

  @Test
  void ctrlCWhileFedoraStartsStopsEverything() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    var run =
        fedometer.startWithStore(
            "run",
            "--profile",
            "mulgara-derby",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--dataset",
            "patents:small",
            "--name",
            "early");
    await()
        .atMost(UP)
        .failFast("the run ended early", () -> !run.process().isAlive())
        .until(() -> run.err().contains("start Fedora"));

    new ProcessBuilder("kill", "-INT", Long.toString(run.process().pid())).start().waitFor();

    run.await(TIMEOUT).expect(ExitCode.INTERRUPTED);
    assertThat(run.err()).doesNotContain("Exception", "--resume");
    assertNothingLeft(fedometer);
    assertThat(fedometer.store().resolve("homes")).isEmptyDirectory();
    assertThat(fedometer.store().resolve("journals")).isEmptyDirectory();
    assertThat(document(fedometer, "early").at("/state").asText()).isEqualTo("interrupted");
  }

  @Test
  void aFedoraThatDiesEndsTheRunWithItsLogAndWithoutWaiting() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    var run = startIngest(fedometer, "died", "mulgara-derby", "--max-restarts", "0");

    fedora(fedometer).destroyForcibly();

    // A driver waits a minute for Fedora; the following steps are slow too.
    await().atMost(Duration.ofSeconds(60)).until(() -> run.err().contains("ingest failed"));
    run.await(TIMEOUT).expect(ExitCode.DONE_WITH_ERRORS);
    assertThat(run.err()).contains("Fedora", "log:", "run --resume died");
    assertNothingLeft(fedometer);
    JsonNode document = document(fedometer, "died");
    assertThat(document.at("/state").asText()).isEqualTo("failed");
    assertThat(document.at("/failure/step").asText()).isEqualTo("ingest");
    assertThat(runFolder(fedometer, "died").resolve(document.at("/failure/log").asText()))
        .isNotEmptyFile();
  }

  /** Starts a run and returns when Fedora has acknowledged some objects. */
  private Fedometer.Call startIngest(
      Fedometer fedometer, String name, String profile, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "--profile",
                profile,
                "--set",
                Fedometer.QUICK_COMPILER,
                "--dataset",
                "patents:small",
                "--objects",
                MANY,
                "--name",
                name));
    arguments.addAll(List.of(more));
    var run = fedometer.startWithStore(arguments.toArray(String[]::new));
    await()
        .atMost(UP)
        .failFast("the run ended early", () -> !run.process().isAlive())
        .until(() -> run.err().matches("(?s).*ingest [^\\n]* [1-9][0-9,]*/100,000 objects.*"));
    return run;
  }

  private static ProcessHandle fedora(Fedometer fedometer) {
    String line =
        fedometer.processesLeft().stream()
            .filter(process -> process.contains("org.apache.catalina.startup.Bootstrap"))
            .findFirst()
            .orElseThrow();
    return ProcessHandle.of(Long.parseLong(line.substring(0, line.indexOf(' ')))).orElseThrow();
  }

  private static JsonNode document(Fedometer fedometer, String run) throws IOException {
    return JSON.readTree(Files.readAllBytes(runFolder(fedometer, run).resolve("run.json")));
  }

  private static Path runFolder(Fedometer fedometer, String run) {
    return fedometer.store().resolve("runs").resolve(run);
  }

  private static void assertNothingLeft(Fedometer fedometer) {
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }
}
