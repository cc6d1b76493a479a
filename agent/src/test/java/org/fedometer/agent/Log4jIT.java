package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the agent's real jar with {@code transport=log4j2} in a separate JVM, with a receiver. */
@Tag("slow")
@ExtendWith(AwaitilityTimeout.class)
class Log4jIT {

  private static final int CYCLES = 4;

  @TempDir Path folder;
  private Receiver receiver;
  private AgentJvm fedora;

  @BeforeEach
  void start() throws Exception {
    receiver = new Receiver(0);
    fedora = AgentJvm.start(folder, null, Map.of());
    assertThat(fedora.send("ingest 1 5")).isEqualTo("done");
  }

  @AfterEach
  void end() throws IOException {
    fedora.close();
    receiver.close();
  }

  @Test
  void samplesLogsAndTelemetryArriveAndDetachLeavesNothing() throws Exception {
    AgentReport report = attach("telemetry-interval=0.1", "source-name=here", "run-name=night");
    assertThat(report.state()).as(report.message()).isEqualTo(State.DONE);
    assertThat(report.facts())
        .containsEntry(AgentReport.STATE, "recording")
        .containsEntry(AgentReport.TRANSPORT, "log4j2")
        .containsEntry(AgentReport.COLLECTOR, receiver.address())
        .containsEntry(AgentReport.RUN_NAME, "night")
        .containsEntry(AgentReport.CONNECTED, "true");
    fedora.send("ingest 2 10");
    fedora.send("log 3");
    fedora.send("collect");
    await().until(() -> receiver.samples("ingest") == 22);
    await()
        .until(
            () ->
                receiver.of("log").stream()
                        .filter(line -> line.get("logger").asText().equals("stand.in"))
                        .count()
                    == 3);
    await().until(() -> !receiver.of("gc").isEmpty());
    assertThat(fedora.histogram())
        .contains("org.apache.logging.log4j.core.net.TcpSocketManager")
        .doesNotContain("log4j.core.LoggerContext\n", "ShutdownCallbackRegistry");
    assertThat(fedora.send("beans *:*")).doesNotContain("log4j");

    AgentReport detached = Tool.command(fedora.pid(), "detach");
    assertThat(detached.message()).isEqualTo("detached");
    assertThat(fedora.send("threads")).doesNotContain("fedometer", "Log4j2", "TcpSocketManager");
    await()
        .untilAsserted(
            () ->
                assertThat(fedora.histogram())
                    .doesNotContain("org.apache.logging.log4j", "org.fedometer.agent.core"));
    assertThat(fedora.err()).isEmpty();

    await().until(() -> last("totals") != null && last("totals").get("last").asBoolean());
    assertThat(receiver.faults).isEmpty();
    JsonNode hello = receiver.of("hello").get(0);
    assertThat(hello.get("pid").asText()).isEqualTo(String.valueOf(fedora.pid()));
    assertThat(hello.get("name").asText()).isEqualTo("here");
    assertThat(hello.get("runName").asText()).isEqualTo("night");
    assertThat(last("totals").get("samplesDropped").asInt()).isZero();
    for (JsonNode total : last("totals").get("stages")) {
      List<JsonNode> samples =
          receiver.of("sample").stream()
              .filter(sample -> sample.get("stage").equals(total.get("stage")))
              .toList();
      assertThat(samples).hasSize(total.get("count").asInt());
      assertThat(samples.stream().mapToLong(sample -> sample.get("durationNanos").asLong()).sum())
          .isEqualTo(total.get("durationNanos").asLong());
      assertThat(samples.stream().filter(sample -> sample.get("failed").asBoolean()))
          .hasSize(total.get("failed").asInt());
    }
    assertThat(receiver.of("trace")).filteredOn(trace -> trace.has("pid")).hasSize(22);
    assertThat(receiver.of("telemetry").stream().map(each -> each.get("metric").asText()))
        .contains(
            "jvm.memory.used.heap",
            "jvm.hiccup.max",
            "fedometer.agent.memory.usage",
            "fedometer.agent.stages.woven");
    assertThat(receiver.of("agent").stream().map(each -> each.get("message").asText()))
        .anyMatch(line -> line.contains("agent on, receiver " + receiver.address()));
    assertEveryFrameIsComplete();
  }

  @Test
  void aReceiverThatIsNotThereIsWaitedForAndOneThatHangsUpIsFoundAgain() throws Exception {
    int port = receiver.port();
    receiver.close();
    AgentReport report = attach();
    assertThat(report.state()).isEqualTo(State.DONE);
    assertThat(report.facts())
        .containsEntry(AgentReport.CONNECTED, "false")
        .containsKey(AgentReport.CONNECTION_ERROR);
    fedora.send("ingest 1 5");
    receiver = new Receiver(port);
    await().until(() -> receiver.samples("ingest") == 6);
    for (int round = 1; round <= 3; round++) {
      int before = receiver.connections();
      receiver.hangUp();
      fedora.send("ingest 1 5");
      await().until(() -> receiver.connections() > before);
      int samples = 6 * (round + 1);
      await().until(() -> receiver.samples("ingest") == samples);
    }
    assertThat(Tool.command(fedora.pid(), "detach").message()).isEqualTo("detached");
    await().until(() -> last("totals") != null && last("totals").get("last").asBoolean());
    assertThat(receiver.samples("ingest")).isEqualTo(24);
    assertThat(receiver.faults).isEmpty();
  }

  @Test
  void receiverThatNeverReadsDoesNotPreventDetach() throws Exception {
    try (Receiver stuck = Receiver.thatNeverReads()) {
      attachTo(stuck, "memory=4m", "ring-samples=256");
      for (int i = 0; i < 10; i++) {
        assertThat(fedora.send("ingest 4 1000")).isEqualTo("done");
      }
      AgentReport detached = Tool.command(fedora.pid(), "detach");
      assertThat(detached.state()).isEqualTo(State.DONE);
      assertThat(detached.facts().get(AgentReport.FAILURE)).contains("receiver");
      assertThat(detached.message()).startsWith("detached, but ");
      assertThat(fedora.send("threads")).doesNotContain("fedometer");
      await()
          .untilAsserted(
              () -> assertThat(fedora.histogram()).doesNotContain("org.apache.logging.log4j"));
      assertThat(fedora.err()).isEmpty();
    }
  }

  @Test
  void undeliverableSamplesAreReportedOrSpooled() throws Exception {
    int port = receiver.port();
    receiver.close();
    attach();
    fedora.send("ingest 1 5");
    AgentReport detached = Tool.command(fedora.pid(), "detach");
    assertThat(detached.facts().get(AgentReport.FAILURE)).contains("not accepted by the receiver");

    String spool = "spool=" + folder.resolve("spool");
    attach(spool);
    fedora.send("ingest 1 7");
    detached = Tool.command(fedora.pid(), "detach");
    assertThat(detached.facts()).doesNotContainKey(AgentReport.FAILURE);
    receiver = new Receiver(port);
    attach(spool);
    await().until(() -> receiver.samples("ingest") == 8);
    assertThat(receiver.of("sample")).noneMatch(each -> each.get("stage").asText().startsWith("#"));
  }

  @Test
  void comesAndGoesAndChangesItsTransport() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0)) {
      for (int cycle = 1; cycle <= CYCLES; cycle++) {
        attach();
        fedora.send("ingest 1 1");
        AgentReport changed =
            Tool.command(fedora.pid(), "attach", "collector=" + collector.address());
        assertThat(changed.message()).contains("with receiver " + receiver.address());
        assertThat(changed.facts()).containsEntry(AgentReport.TRANSPORT, "fedometer");
        fedora.send("ingest 1 1");
        assertThat(Tool.command(fedora.pid(), "detach").message()).isEqualTo("detached");
        int ingests = 2 * cycle;
        await().until(() -> receiver.samples("ingest") == ingests);
        assertThat(collector.samplesOf("ingest")).isEqualTo(ingests);
      }
    }
    await()
        .untilAsserted(
            () -> assertThat(fedora.histogram()).doesNotContain("org.fedometer.agent.core"));
  }

  @Test
  void toolReceivesReportsAndRecordingIsPaused() throws Exception {
    attach();
    try (Tool top = Tool.begin(fedora.pid(), "top")) {
      await().until(() -> top.reports.size() >= 2);
      fedora.send("ingest 1 5");
      await()
          .until(() -> top.copies.stream().anyMatch(copy -> copy.type().name().equals("SAMPLES")));
    }
    await().until(() -> receiver.samples("ingest") == 6);
    Tool.command(fedora.pid(), "pause");
    fedora.send("ingest 1 5");
    Tool.command(fedora.pid(), "resume");
    fedora.send("ingest 1 2");
    await().until(() -> receiver.samples("ingest") == 9);
  }

  @Test
  void runsIndependentlyOfFedorasLog4j2() throws Exception {
    Path classPath = Files.createDirectory(folder.resolve("classes"));
    String properties =
        "log4j2.debug=true\nlog4j2.enableDirectEncoders=false\n"
            + "log4j.layout.jsonTemplate.maxStringLength=3\nlog4j2.enableThreadlocals=false\n";
    Files.writeString(classPath.resolve("log4j2.component.properties"), properties);
    Files.writeString(classPath.resolve("log4j2.StatusLogger.properties"), properties);
    Files.writeString(classPath.resolve("log4j2.system.properties"), "set.by.whom=log4j2\n");
    Files.writeString(classPath.resolve("log4j2.xml"), "no XML at all");
    Map<String, String> environment = new HashMap<>();
    environment.put("CLASSPATH", classPath.toString());
    environment.put("LOG4J_DEBUG", "true");
    environment.put("LOG4J_LAYOUT_JSON_TEMPLATE_MAX_STRING_LENGTH", "3");
    environment.put("FEDOMETER_TOKEN", "of a collector");
    try (AgentJvm own =
        AgentJvm.start(
            folder,
            "=transport=log4j2,collector=" + receiver.address(),
            environment,
            "-Dlog4j2.debug=true",
            "-Dlog4j2.configurationFile=/no/such/file.xml",
            "-Dlog4j2.status.entries=nonsense",
            "-Dlog4j2.StatusLogger.level=NONSENSE",
            "-Dlog4j2.StatusLogger.dateFormat=nonsense",
            "-Dlog4j2.messageFactory=no.such.Factory",
            "-Dlog4j2.clock=no.such.Clock",
            "-Dlog4j.layout.jsonTemplate.maxStringLength=3",
            "-Dlog4j.layout.jsonTemplate.recyclerFactory=nonsense",
            "-Dlog4j2.contextSelector=no.such.Selector")) {
      await()
          .until(
              () ->
                  receiver.of("agent").stream()
                      .anyMatch(each -> each.get("message").asText().contains("woven 5 of")));
      own.send("ingest 2 10");
      for (String inside :
          List.of(
              "org.apache.logging.log4j.LogManager",
              "org.apache.logging.log4j.core.appender.SocketAppender",
              "org.fedometer.agent.core.log4j2.Log4j2Protocol")) {
        assertThat(own.send("sees " + inside)).isEqualTo(inside + " hidden");
      }
      assertThat(own.send("property set.by.whom")).isEqualTo("set.by.whom=null");
      AgentJvm.Outcome outcome = own.end();
      assertThat(outcome.exitCode()).isZero();
      assertThat(outcome.err()).isEmpty();
    }
    await().until(() -> last("totals") != null && last("totals").get("last").asBoolean());
    assertThat(receiver.samples("ingest")).isEqualTo(22);
    assertThat(receiver.samples("triples.flush")).isOne();
    assertThat(receiver.faults).isEmpty();
    assertThat(receiver.lines).noneMatch(line -> line.contains("of a collector"));
    assertThat(receiver.of("agent"))
        .noneMatch(each -> each.get("message").asText().contains("Log4j2:"));
  }

  @Test
  void rejectsAWrongTransportOrAToken() throws Exception {
    AgentReport wrong =
        Tool.command(fedora.pid(), "attach", "collector=" + receiver.address(), "transport=smoke");
    assertThat(wrong.state()).isEqualTo(State.REFUSED);
    assertThat(wrong.message())
        .isEqualTo("option 'transport' must be fedometer or log4j2, not 'smoke'");
    wrong = attach("token-file=" + Files.writeString(folder.resolve("token"), "secret"));
    assertThat(wrong.state()).isEqualTo(State.REFUSED);
    assertThat(wrong.message()).contains("cannot send a token");
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
  }

  /** Frames of one source have no gaps: each has the events 0 to n. */
  private void assertEveryFrameIsComplete() {
    Map<Long, List<Integer>> frames = new HashMap<>();
    for (JsonNode event : receiver.events) {
      frames
          .computeIfAbsent(event.get("frame").asLong(), any -> new ArrayList<>())
          .add(event.get("index").asInt());
    }
    frames.forEach(
        (frame, indices) -> {
          for (int i = 0; i < indices.size(); i++) {
            assertThat(indices.get(i)).as("event of frame %s", frame).isEqualTo(i);
          }
        });
  }

  /** The newest event of a kind; null if there is none. */
  private JsonNode last(String kind) {
    List<JsonNode> all = receiver.of(kind);
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  private AgentReport attach(String... options) throws Exception {
    return attachTo(receiver, options);
  }

  private AgentReport attachTo(Receiver somewhere, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("transport=log4j2");
    all.add("collector=" + somewhere.address());
    return Tool.command(fedora.pid(), "attach", all.toArray(String[]::new));
  }
}
