package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.fedometer.wire.AgentReport;
import org.fedometer.wire.AgentReport.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's real jar with transport=log4j2, in a JVM of its own, and a receiver of lines. */
class Log4jIT {

  @TempDir Path folder;
  private Receiver receiver;
  private AgentJvm fedora;

  @BeforeAll
  static void waitForAnotherJvm() {
    Awaitility.setDefaultTimeout(AgentJvm.PATIENCE);
  }

  @AfterAll
  static void waitAsUsual() {
    Awaitility.reset();
  }

  @BeforeEach
  void start() throws Exception {
    receiver = new Receiver(0);
    fedora = AgentJvm.start(folder, null, Map.of());
    assertThat(fedora.ask("ingest 1 5")).isEqualTo("done");
  }

  @AfterEach
  void end() throws IOException {
    fedora.close();
    receiver.close();
  }

  @Test
  void samplesLogsAndTelemetryArriveAndDetachLeavesNothing() throws Exception {
    AgentReport report = attach("telemetry-interval=0.1");
    assertThat(report.state()).as(report.message()).isEqualTo(State.DONE);
    assertThat(report.facts())
        .containsEntry(AgentReport.STATE, "recording")
        .containsEntry(AgentReport.CONNECTED, "true");
    fedora.ask("ingest 2 10");
    fedora.ask("log 3");
    await().until(() -> receiver.samples("ingest") == 22);
    await()
        .until(
            () ->
                receiver.of("log").stream()
                        .filter(line -> line.get("logger").asText().equals("stand.in"))
                        .count()
                    == 3);
    await().until(() -> !receiver.of("telemetry").isEmpty());
    assertThat(receiver.of("trace")).hasSize(22);

    AgentReport detached = Tool.command(fedora.pid(), "detach");
    assertThat(detached.message()).isEqualTo("detached");
    assertThat(fedora.ask("threads")).doesNotContain("fedometer", "Log4j2", "TcpSocketManager");
    await()
        .untilAsserted(
            () ->
                assertThat(histogram())
                    .doesNotContain("org.apache.logging.log4j", "org.fedometer.agent.core"));
    assertThat(receiver.faults).isEmpty();
    assertThat(fedora.err()).isEmpty();
    await().until(() -> receiver.of("totals").stream().anyMatch(t -> t.get("last").asBoolean()));
  }

  private AgentReport attach(String... options) throws Exception {
    List<String> all = new java.util.ArrayList<>(List.of(options));
    all.add("transport=log4j2");
    all.add("collector=" + receiver.address());
    return Tool.command(fedora.pid(), "attach", all.toArray(String[]::new));
  }

  private String histogram() throws IOException, InterruptedException {
    Path out = folder.resolve("histogram");
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(fedora.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(jcmd.waitFor()).isZero();
    return Files.readString(out);
  }
}
