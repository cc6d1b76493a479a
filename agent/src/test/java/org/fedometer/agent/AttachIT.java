package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.fedometer.agent.ScriptedCollector.Sample;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.State;
import org.fedometer.wire.session.AgentReport.Weaving;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The agent's real jar into and out of a JVM that runs. */
@Tag("slow")
@ExtendWith(AwaitilityTimeout.class)
class AttachIT {

  /** Fifty need minutes: {@code -Dfedometer.cycles=50}. */
  private static final int CYCLES = Integer.getInteger("fedometer.cycles", 10);

  @TempDir Path folder;
  private ScriptedCollector collector;
  private AgentJvm fedora;

  @BeforeEach
  void start() throws Exception {
    collector = new ScriptedCollector(0);
    fedora = AgentJvm.start(folder, null, Map.of());
    assertThat(fedora.send("ingest 1 5")).isEqualTo("done");
  }

  @AfterEach
  void end() throws IOException {
    fedora.close();
    collector.close();
  }

  @Test
  void timesAndReportsTheSameStagesAsPremain() throws Exception {
    AgentReport report = attach();
    assertThat(report.state()).isEqualTo(State.DONE);
    assertThat(report.facts())
        .containsEntry(AgentReport.STATE, "recording")
        .containsEntry(AgentReport.CONNECTED, "true")
        .containsEntry(AgentReport.COLLECTOR, collector.address())
        .containsEntry(AgentReport.SOURCE_NAME, "fedora")
        .containsEntry(AgentReport.MEMORY_LIMIT_BYTES, String.valueOf(32 * 1024 * 1024));
    assertThat(stagesOf(report, Weaving.WOVEN))
        .containsExactly(
            "database.insert", "http.request", "ingest", "ingest.parse", "triples.flush");
    assertThat(stagesOf(report, Weaving.FAILED)).isEmpty();

    assertThat(fedora.send("ingest 2 10")).isEqualTo("done");
    AgentReport detached = Tool.command(fedora.pid(), "detach");
    assertThat(detached.state()).isEqualTo(State.DONE);
    assertThat(detached.message()).isEqualTo("detached");
    assertThat(detached.facts()).containsEntry(AgentReport.STATE, "off");
    Set<String> attachedStages =
        collector.samples.stream().map(Sample::stage).collect(Collectors.toSet());
    assertThat(collector.samplesOf("ingest")).isEqualTo(22);

    try (ScriptedCollector other = new ScriptedCollector(0);
        AgentJvm premain = AgentJvm.start(folder, "=collector=" + other.address(), Map.of())) {
      await().until(() -> other.log.toString().contains("woven "));
      premain.send("ingest 2 10");
      await().until(() -> other.samplesOf("ingest") == 22);
      assertThat(other.samples.stream().map(Sample::stage).collect(Collectors.toSet()))
          .isEqualTo(attachedStages);
      assertThat(report(Tool.command(premain.pid(), "status"))).isEqualTo(report(report));
    }
  }

  @Test
  void detachGivesTheOriginalBytecodeBackAndLeavesNoThreadAndNoClassOfItsInside() throws Exception {
    Path dumps = folder.resolve("dumps");
    Files.createDirectory(dumps);
    Map<String, byte[]> original = bytecode(dumps.resolve("original"));
    attach();
    assertThat(fedora.send("threads")).contains("fedometer-drainer", "fedometer-weaver");
    assertThat(fedora.histogram()).contains("org.fedometer.agent.core.Agent");
    Map<String, byte[]> woven = bytecode(dumps.resolve("woven"));
    assertThat(woven).allSatisfy((name, bytes) -> assertThat(isOurs(bytes)).as(name).isTrue());

    Path atDetach = dumps.resolve("detached");
    DumpingAgent.load(fedora.pid(), dumper(), "stay", atDetach);
    AgentReport report = Tool.command(fedora.pid(), "detach");
    assertThat(report.message()).isEqualTo("detached");
    // Bytecode that the detach itself gave the JVM, and the bytecode afterwards.
    for (Map<String, byte[]> now :
        List.of(DumpingAgent.read(atDetach), bytecode(dumps.resolve("after")))) {
      original.forEach((name, bytes) -> assertThat(now.get(name)).as(name).isEqualTo(bytes));
      // Those that the agent had loaded, too.
      assertThat(now).hasSameSizeAs(woven);
      assertThat(now).allSatisfy((name, bytes) -> assertThat(isOurs(bytes)).as(name).isFalse());
    }
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
    await()
        .untilAsserted(() -> assertThat(fedora.histogram()).doesNotContain("org.aspectj.weaver."));
    assertThat(fedora.histogram())
        .doesNotContain("org.fedometer.agent.core", "org.fedometer.wire")
        .doesNotContain("recorder.ThreadRecorder\n", "recorder.Recording\n");
    int samples = collector.samples.size();
    fedora.send("ingest 1 5");
    assertThat(Tool.command(fedora.pid(), "status").message()).isEqualTo("no agent is in this JVM");
    assertThat(collector.samples).hasSize(samples);
    assertThat(fedora.err()).isEmpty();
  }

  @Test
  void comesAndGoesManyTimesAndLosesNothing() throws Exception {
    for (int cycle = 1; cycle <= CYCLES; cycle++) {
      assertThat(attach().facts()).containsEntry(AgentReport.CONNECTED, "true");
      assertThat(fedora.send("ingest 1 1")).isEqualTo("done");
      AgentReport report = Tool.command(fedora.pid(), "detach");
      assertThat(report.message()).isEqualTo("detached");
      assertThat(collector.samplesOf("ingest")).isEqualTo(2 * cycle);
    }
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
    await()
        .untilAsserted(
            () -> assertThat(fedora.histogram()).doesNotContain("org.fedometer.agent.core"));
  }

  @Test
  void anAgentThatIsThereAlreadyGetsTheNewOptions() throws Exception {
    attach();
    fedora.send("ingest 1 5");
    try (ScriptedCollector other = new ScriptedCollector(0)) {
      AgentReport report =
          Tool.command(fedora.pid(), "attach", "collector=" + other.address(), "source-name=a\\,b");
      assertThat(report.state()).isEqualTo(State.DONE);
      assertThat(report.message())
          .contains("was already attached", "with collector " + collector.address() + ", run ")
          .contains("defaults for all others, and now sends to the collector " + other.address());
      assertThat(report.facts())
          .containsEntry(AgentReport.COLLECTOR, other.address())
          .containsEntry(AgentReport.SOURCE_NAME, "a,b");
      assertThat(collector.hasEnded()).isTrue();
      assertThat(collector.samplesOf("ingest")).isEqualTo(6);
      fedora.send("ingest 1 5");
      await().until(() -> other.samplesOf("ingest") == 6);

      AgentReport refused =
          Tool.command(fedora.pid(), "attach", "collector=" + other.address(), "memory=0");
      assertThat(refused.state()).isEqualTo(State.REFUSED);
      assertThat(refused.message()).contains("memory");
      collector.rejection = "wrong token";
      refused = Tool.command(fedora.pid(), "attach", "collector=" + collector.address());
      assertThat(refused.state()).isEqualTo(State.REFUSED);
      assertThat(refused.message()).contains("wrong token", "continues unchanged");
      refused = Tool.command(fedora.pid(), "attach", "collector=127.0.0.1:" + unusedPort());
      assertThat(refused.state()).isEqualTo(State.REFUSED);
      assertThat(refused.message())
          .contains("no connection", "continues unchanged, connected to " + other.address());
      Path file = Files.createFile(folder.resolve("a-file"));
      refused =
          Tool.command(fedora.pid(), "attach", "collector=" + other.address(), "spool=" + file);
      assertThat(refused.state()).isEqualTo(State.REFUSED);
      assertThat(refused.message()).contains("spool=" + file + " cannot be used");
      AgentReport stays =
          Tool.command(fedora.pid(), "attach", "collector=" + other.address(), "memory=8m");
      assertThat(stays.message()).contains("new options").doesNotContain("now sends");
      assertThat(Tool.command(fedora.pid(), "status").facts())
          .containsEntry(AgentReport.COLLECTOR, other.address())
          .containsEntry(AgentReport.STATE, "recording");
    }
  }

  @Test
  void whatAnOutageLeftInTheSpoolArrivesThroughTheAgentsNextConnection() throws Exception {
    String spool = "spool=" + folder.resolve("spool");
    Tool.command(fedora.pid(), "attach", "collector=" + collector.address(), spool);
    fedora.send("ingest 1 5");
    await().until(() -> collector.samplesOf("ingest") == 6);
    await().until(() -> queuedBytes() == 0);
    collector.close();
    fedora.send("ingest 1 7");
    try (ScriptedCollector other = new ScriptedCollector(0)) {
      AgentReport report =
          Tool.command(fedora.pid(), "attach", "collector=" + other.address(), spool);
      assertThat(report.state()).isEqualTo(State.DONE);
      assertThat(report.message()).contains("bytes wait in the spool");
      assertThat(report.facts()).doesNotContainKey(AgentReport.FAILURE);
      // Their names are those that the first collector had received.
      await().until(() -> other.samplesOf("ingest") == 8);
      // Those of the agent's new connection, and of the one before.
      assertThat(other.sources).hasSize(2);
      AgentReport detached = Tool.command(fedora.pid(), "detach");
      assertThat(detached.facts())
          .doesNotContainKey(AgentReport.FAILURE)
          .containsEntry(AgentReport.FRAMES_LOST, "0");
    }
  }

  @Test
  void whatADetachPutsIntoTheSpoolIsNotLost() throws Exception {
    String spool = "spool=" + folder.resolve("spool");
    Tool.command(fedora.pid(), "attach", "collector=" + collector.address(), spool);
    collector.close();
    fedora.send("ingest 1 5");
    AgentReport detached = Tool.command(fedora.pid(), "detach");
    assertThat(detached.facts())
        .doesNotContainKey(AgentReport.FAILURE)
        .extractingByKey(AgentReport.SPOOLED_BYTES)
        .isNotEqualTo("0");
    assertThat(detached.message()).matches("detached; [0-9]+ bytes wait in the spool");

    try (ScriptedCollector other = new ScriptedCollector(0)) {
      Tool.command(fedora.pid(), "attach", "collector=" + other.address(), spool);
      await().until(() -> other.samplesOf("ingest") == 6);
    }
  }

  @Test
  void reportsSamplesThatAReplacedAgentCouldNotSend() throws Exception {
    attach();
    collector.close();
    fedora.send("ingest 1 5");
    try (ScriptedCollector other = new ScriptedCollector(0)) {
      AgentReport report = Tool.command(fedora.pid(), "attach", "collector=" + other.address());
      assertThat(report.state()).isEqualTo(State.DONE);
      assertThat(report.facts().get(AgentReport.FAILURE)).contains("not acknowledged");
      assertThat(report.message()).contains("new options, ", ", but the last samples");
      fedora.send("ingest 1 5");
      await().until(() -> other.samplesOf("ingest") == 6);
    }
  }

  @Test
  void reportsSamplesThatADetachCouldNotSend() throws Exception {
    attach();
    collector.close();
    fedora.send("ingest 1 5");
    AgentReport report = Tool.command(fedora.pid(), "detach");
    assertThat(report.state()).isEqualTo(State.DONE);
    assertThat(report.facts().get(AgentReport.FAILURE)).contains("not acknowledged");
    assertThat(report.message()).startsWith("detached, but ");
  }

  @Test
  void aCollectorThatRefusesTheSourceKeepsFedoraUntouched() throws Exception {
    collector.rejection = "wrong token";
    AgentReport report = attach();
    assertThat(report.state()).isEqualTo(State.REFUSED);
    assertThat(report.message()).contains("wrong token");
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
    assertThat(fedora.histogram()).doesNotContain("org.aspectj.weaver.");
    assertThat(fedora.err()).isEmpty();
  }

  @Test
  void recordingIsPausedAndGoesOn() throws Exception {
    attach();
    assertThat(Tool.command(fedora.pid(), "pause").facts())
        .containsEntry(AgentReport.STATE, "paused");
    fedora.send("ingest 1 5");
    assertThat(Tool.command(fedora.pid(), "resume").facts())
        .containsEntry(AgentReport.STATE, "recording");
    fedora.send("ingest 1 2");
    Tool.command(fedora.pid(), "detach");
    assertThat(collector.samplesOf("ingest")).isEqualTo(3);
  }

  @Test
  void aToolThatLooksOnGetsCopiesOfTheSamplesWithTheirNames() throws Exception {
    attach();
    fedora.send("ingest 1 5");
    // All of them, the request's own that comes last, too: what is sent later would be copied.
    await().until(() -> collector.samples.size() == 6 + 6 + 11);
    try (Tool top = Tool.begin(fedora.pid(), "top")) {
      await().until(() -> top.reports.size() >= 2);
      assertThat(top.reports.get(0).state()).isEqualTo(State.LIVE);
      fedora.send("ingest 1 7");
      List<Integer> stages = new ArrayList<>();
      await()
          .untilAsserted(
              () -> {
                stages.clear();
                for (var frame : top.copies) {
                  if (frame.type() == FrameType.SAMPLES) {
                    SampleDecoder.decode(
                        ByteBuffer.wrap(frame.payload()),
                        (stage, thread, trace, start, total, own, failed) -> stages.add(stage));
                  }
                }
                assertThat(stages).hasSize(8 + 8 + 15);
              });
      assertThat(top.copies.get(0).type()).isEqualTo(FrameType.STAGES);
      assertThat(top.copies.get(1).type()).isEqualTo(FrameType.THREADS);
      assertThat(fedora.send("threads")).contains("fedometer-top");
    }
    await().until(() -> !fedora.send("threads").contains("fedometer-top"));
    // The collector has them as well.
    await().until(() -> collector.samplesOf("ingest") == 14);
  }

  @Test
  void wovenAgainInANewDeploymentAndTheOldOneIsCollected() throws Exception {
    attach();
    for (int deployment = 1; deployment <= 3; deployment++) {
      assertThat(fedora.send("deploy")).isEqualTo("deployed");
      long before = parses();
      await()
          .until(
              () -> {
                fedora.send("translate");
                return parses() > before;
              });
      assertThat(fedora.send("undeploy")).isEqualTo("undeployed");
    }
    await().until(() -> fedora.send("collected").equals("3 of 3"));
    Tool.command(fedora.pid(), "detach");
  }

  @Test
  void outlivesAHeapThatIsFull() throws Exception {
    attach();
    assertThat(fedora.send("starve 5")).isEqualTo("fed");
    assertThat(fedora.send("ingest 2 10")).isEqualTo("done");
    // A client that could not connect for some time waits up to 10 s before it tries again.
    await().untilAsserted(() -> assertThat(collector.samplesOf("ingest")).isEqualTo(22));
    // Telemetry continues, too.
    int readings = collector.readings.size();
    await()
        .untilAsserted(
            () ->
                assertThat(List.copyOf(collector.readings))
                    .as("%s %s", fedora.send("threads"), collector.log)
                    .hasSizeGreaterThan(readings));
    AgentReport report = Tool.command(fedora.pid(), "detach");
    assertThat(report.message()).isEqualTo("detached");
    assertThat(collector.hasEnded()).isTrue();
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
  }

  @Test
  void rejectsACommandWithoutAnAgent() throws Exception {
    for (String command : List.of("detach", "status", "weave", "top", "pause", "resume")) {
      AgentReport report = Tool.command(fedora.pid(), command);
      assertThat(report.state()).isEqualTo(State.REFUSED);
      assertThat(report.message()).isEqualTo("no agent is in this JVM");
    }
    AgentReport wrong = Tool.command(fedora.pid(), "attach", "collector=nowhere");
    assertThat(wrong.state()).isEqualTo(State.REFUSED);
    assertThat(wrong.message()).contains("is not HOST:PORT");
    for (String endless : List.of("token-file=/dev/zero", "tls-ca=/dev/zero")) {
      wrong = Tool.command(fedora.pid(), "attach", "collector=" + collector.address(), endless);
      assertThat(wrong.state()).isEqualTo(State.REFUSED);
      assertThat(wrong.message()).contains("/dev/zero", "is not a regular file");
    }
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
    assertThat(fedora.err()).isEmpty();
  }

  @Test
  void commandWithAnUnreachableToolStartsNothing() throws Exception {
    String collectorOption = "collector=" + collector.address();
    String tooLong = "reply=1/" + "x".repeat(65);
    Tool.begin(fedora.pid(), "attach", collectorOption, tooLong).close();
    assertThat(fedora.err()).contains("is not PORT/NONCE");
    assertThat(fedora.send("threads")).doesNotContain("fedometer");
  }

  @Test
  void reportsAnUnresponsiveCollectorAndWaitsForIt() throws Exception {
    String address = collector.address();
    collector.close();
    AgentReport report = Tool.command(fedora.pid(), "attach", "collector=" + address);
    assertThat(report.state()).isEqualTo(State.DONE);
    assertThat(report.facts())
        .containsEntry(AgentReport.CONNECTED, "false")
        .containsKey(AgentReport.CONNECTION_ERROR);
    fedora.send("ingest 1 5");
    collector =
        new ScriptedCollector(Integer.parseInt(address.substring(address.indexOf(':') + 1)));
    await().until(() -> collector.samplesOf("ingest") == 6);
  }

  private AgentReport attach() throws Exception {
    return Tool.command(fedora.pid(), "attach", "collector=" + collector.address());
  }

  private long queuedBytes() throws Exception {
    return Long.parseLong(
        Tool.command(fedora.pid(), "status").facts().get(AgentReport.QUEUED_BYTES));
  }

  private long parses() {
    return collector.samplesOf("ingest.parse");
  }

  private static Map<String, String> report(AgentReport report) {
    return report.stages().stream()
        .collect(
            Collectors.toMap(
                AgentReport.Stage::name, stage -> stage.weaving() + " " + stage.detail()));
  }

  private static List<String> stagesOf(AgentReport report, Weaving weaving) {
    return report.stages().stream()
        .filter(stage -> stage.weaving() == weaving)
        .map(AgentReport.Stage::name)
        .toList();
  }

  /** Returns the JVM's bytecode of Fedora's classes, after all transformers. */
  private Map<String, byte[]> bytecode(Path dump) throws Exception {
    DumpingAgent.load(fedora.pid(), dumper(), "go", dump);
    return DumpingAgent.read(dump);
  }

  private static boolean isOurs(byte[] bytecode) {
    return new String(bytecode, StandardCharsets.ISO_8859_1).contains("org/fedometer/aspects");
  }

  private Path dumper() throws IOException {
    Path jar = folder.resolve("dumper.jar");
    if (!Files.exists(jar)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Agent-Class", DumpingAgent.class.getName());
      manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
      new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }
    return jar;
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
