package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on the real Fedora that is changed, paused and stopped from other processes. */
@Tag("fedora")
class LoadIT {
  private static final Duration UP = Duration.ofMinutes(8);
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RUN = "live";

  @TempDir private Path folder;
  private Fedometer fedometer;

  @Test
  void controlsARunThatOutlivesItsTerminal() throws Exception {
    fedometer = new Fedometer(folder);
    Fedometer.Call run =
        fedometer.startWithStore(
            "run",
            "--profile",
            "mulgara-derby",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--dataset",
            "patents:small",
            "--duration",
            "1d",
            "--name",
            RUN);
    await()
        .atMost(UP)
        .pollInterval(Duration.ofSeconds(1))
        .failFast("the run ended early", () -> !run.process().isAlive())
        .until(() -> run.err().contains("Fedora answers at"));
    awaitIngested(10);

    new ProcessBuilder("kill", "-HUP", Long.toString(run.process().pid())).start().waitFor();
    JsonNode slow = control("set", "--rate", "5", "--workers", "2");
    assertThat(slow.at("/load/workers").asInt()).isEqualTo(2);
    assertThat(slow.at("/load/ratePerSecond").asDouble()).isEqualTo(5);

    assertThat(control("pause").at("/load/paused").asBoolean()).isTrue();
    long whenPaused = awaitStandstill();
    assertThat(control("status").at("/load/ingested").asLong()).isEqualTo(whenPaused);
    assertThat(control("resume").at("/load/paused").asBoolean()).isFalse();
    assertThat(control("set", "--workers", "6", "--closed").at("/load/workers").asInt())
        .isEqualTo(6);
    awaitIngested(whenPaused + 20);

    assertThat(run.process().isAlive()).as("after SIGHUP").isTrue();
    var stop = fedometer.startWithStore("load", "stop", RUN).await(TIMEOUT).expect(ExitCode.DONE);
    assertThat(stop.out()).startsWith(RUN + " is ending");
    run.await(TIMEOUT).expect(ExitCode.INTERRUPTED);

    assertThat(run.err()).doesNotContain("Exception");
    JsonNode document = document();
    assertThat(document.at("/state").asText()).isEqualTo("interrupted");
    assertThat(document.at("/workload/duration").asText()).isEqualTo("1d");
    assertThat(document.at("/objects/requested").asLong())
        .as("as many as were begun")
        .isEqualTo(document.at("/objects/ingested").asLong())
        .isGreaterThanOrEqualTo(whenPaused + 20);
    assertThat(document.at("/load/pauses")).hasSize(1);
    assertThat(document.at("/load/pauses/0/endNanos").asLong())
        .isGreaterThan(document.at("/load/pauses/0/startNanos").asLong());
    assertThat(document.at("/load/changes/0/workers").asInt()).isEqualTo(2);
    assertThat(document.at("/load/changes/0/ratePerSecond").asDouble()).isEqualTo(5);
    assertThat(document.at("/load/changes/1/workers").asInt()).isEqualTo(6);
    assertThat(document.at("/load/changes/1/ratePerSecond").isNull()).isTrue();
    var late =
        fedometer.startWithStore("load", "pause", RUN).await(TIMEOUT).expect(ExitCode.BAD_USAGE);
    assertThat(late.err()).contains("the run " + RUN + " has ended: interrupted");
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  private void awaitIngested(long objects) {
    await().atMost(TIMEOUT).until(() -> control("status").at("/load/ingested").asLong() >= objects);
  }

  /** Waits until requests in flight at the pause have ended. */
  private long awaitStandstill() {
    long[] before = {-1};
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              long now = control("status").at("/load/ingested").asLong();
              boolean same = now == before[0];
              before[0] = now;
              return same;
            });
    return before[0];
  }

  private JsonNode control(String verb, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("load", verb, RUN));
    arguments.addAll(List.of(options));
    arguments.add("--json");
    return fedometer
        .startWithStore(arguments.toArray(String[]::new))
        .await(TIMEOUT)
        .expect(ExitCode.DONE)
        .json();
  }

  private JsonNode document() throws Exception {
    Path json = fedometer.store().resolve("runs").resolve(RUN).resolve("run.json");
    return JSON.readTree(Files.readAllBytes(json));
  }
}
