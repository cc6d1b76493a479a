package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.profiles.stack.StackRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new user's first steps in a real Fedora: a run and its report; then attach to a Fedora. */
class FirstRunIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final String RUN = "first";
  private static final int OBJECTS = 100;

  @TempDir private Path folder;

  private Path home;

  @AfterEach
  void tearDown() throws Exception {
    if (home != null) {
      StackRegistry.ofUser().down(home);
    }
  }

  @Test
  void aRunIsReportedAndAFedoraThatRunsIsAttachedTo() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    var run =
        fedometer
            .startWithStore(
                "run",
                "--name",
                RUN,
                "--profile",
                "mulgara-derby",
                "--set",
                Fedometer.QUICK_COMPILER,
                "--dataset",
                "patents:small",
                "--objects",
                Integer.toString(OBJECTS),
                "--keep-home")
            .await(TIMEOUT)
            .expect(ExitCode.DONE);
    assertThat(run.out()).contains(OBJECTS + " of " + OBJECTS + " objects ingested");

    JsonNode report =
        fedometer
            .startWithStore("report", RUN, "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    Reports.assertComplete(report, OBJECTS);
    Reports.assertNoProblemsExcept(report);
    assertThat(report.at("/stages").findValuesAsText("name"))
        .contains("http.request", "ingest.commit", "store.foxml", "index.fields", "triples.flush");

    home = only(fedometer.store().resolve("homes"));
    fedometer
        .startWithStore("stack", "up", "--home", home.toString(), "--no-agent")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    JsonNode stack = fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0);
    String pid = stack.get("pid").asText();
    fedometer.startWithStore("attach", pid, "--name", "seen").await(TIMEOUT).expect(ExitCode.DONE);
    fedometer
        .startWithStore(
            "ingest",
            "--name",
            "second",
            "--target",
            stack.get("url").asText(),
            "--namespace",
            "again",
            "--dataset",
            "patents:small",
            "--objects",
            Integer.toString(OBJECTS))
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.DONE);
    String commits = "SELECT count(*) AS n FROM samples WHERE stage = 'ingest.commit'";
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(fedometer.query("seen", commits).get(0).get("n").asLong())
                    .isEqualTo(OBJECTS));
    fedometer
        .start("stack", "down", "--home", home.toString())
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
  }

  private static Path only(Path parent) throws Exception {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.reduce((one, two) -> null).orElseThrow();
    }
  }
}
