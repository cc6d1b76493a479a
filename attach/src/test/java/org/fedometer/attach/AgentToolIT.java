package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.fedometer.wire.Frame;
import org.fedometer.wire.session.AgentReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands to a stand-in agent in separate JVMs, and all obstacles to attaching. */
@Tag("slow")
class AgentToolIT {
  private static final AgentTool.ProgressListener SILENT = message -> {};
  private static final long NOBODY = 65534;
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

  @TempDir private Path folder;
  private Path jar;
  private AgentTool tool;

  @BeforeEach
  void agent() throws IOException {
    jar = StandInAgent.jar(folder);
    tool = new AgentTool(jar);
  }

  @Test
  void anAgentIsBroughtInAndGivenOneCommandAfterTheOther() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      assertThat(fedora.seen().agentJar()).isEmpty();
      List<String> said = new ArrayList<>();
      Map<String, String> options = new LinkedHashMap<>();
      options.put("collector", "127.0.0.1:4711");
      options.put("run-name", "a, b = c");

      AgentReport report = tool.attach(fedora.seen(), options, false, said::add);

      assertThat(said).containsExactly("weaving");
      assertThat(report.message()).isEqualTo("attach done");
      assertThat(report.facts())
          .containsEntry("option-collector", "127.0.0.1:4711")
          .containsEntry("option-run-name", "a, b = c");
      assertThat(report.stages()).extracting(AgentReport.Stage::name).contains("ingest");
      assertThat(fedora.seen().agentJar()).contains(jar.toRealPath());
      assertThat(tool.status(fedora.seen()).facts()).containsEntry("state", "recording");
      assertThat(tool.pause(fedora.seen()).facts()).containsEntry("state", "paused");
      assertThat(tool.resume(fedora.seen()).facts()).containsEntry("state", "recording");
      assertThat(tool.detach(fedora.seen(), SILENT).facts()).containsEntry("state", "off");
      assertThatThrownBy(() -> tool.status(fedora.seen()))
          .isInstanceOf(AttachException.class)
          .hasMessage("process " + fedora.pid() + ": no agent is in this JVM");
      assertThat(fedora.isAlive()).isTrue();
    }
  }

  @Test
  void anotherJarIsNotBroughtInWhereOneIsAlready() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      tool.attach(fedora.seen(), Map.of(), false, SILENT);
      AgentTool ofAnotherPlace =
          new AgentTool(Files.createDirectory(folder.resolve("other")).resolve("none.jar"));

      assertThat(ofAnotherPlace.status(fedora.seen()).message()).isEqualTo("status done");
    }
  }

  @Test
  void topRunsUntilTheToolStops() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      tool.attach(fedora.seen(), Map.of(), false, SILENT);
      LiveStages stages = new LiveStages(Duration.ofMillis(100));
      List<LiveStages.Interval> intervals = new ArrayList<>();
      List<AgentReport> reports = new ArrayList<>();

      tool.top(
          fedora.seen(),
          new AgentTool.LiveListener() {
            @Override
            public void onReport(AgentReport report) {
              reports.add(report);
            }

            @Override
            public void onFrame(Frame frame) {
              try {
                stages.add(frame, System.nanoTime()).ifPresent(intervals::add);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            }

            @Override
            public boolean isActive() {
              return intervals.size() < 3;
            }
          });

      assertThat(reports).isNotEmpty();
      LiveStages.Interval last = intervals.get(2);
      assertThat(last.stages())
          .extracting(LiveStages.StageStatistics::stage)
          .containsExactly("ingest", "http.request");
      assertThat(last.samplesSeen()).isEqualTo(last.samplesCounted()).isPositive();
      assertThat(tool.status(fedora.seen()).message()).isEqualTo("status done");
    }
  }

  @Test
  void reportsTheAgentsReasonForARejection() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      rejects(fedora, behaving("refuses"), "the token file cannot be read");
    }
  }

  @Test
  void doesNotWaitForAFailedOrSilentAgent() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      rejects(fedora, behaving("throws"), "did not accept the agent", "standard error");
      rejects(fedora, behaving("mute"), "loaded", "did not answer", "standard error");
      rejects(fedora, behaving("hangs-up"), "closed the connection");
    }
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      rejects(fedora, behaving("hangs"), "did not answer within 10 s");
    }
  }

  @Test
  void distinguishesOtherProcesses() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "600").start();
    try {
      assertThatThrownBy(() -> Jvms.of(sleep.pid()))
          .isInstanceOf(AttachException.class)
          .hasMessageContainingAll("(sleep)", "not a Java", "agent list");
    } finally {
      sleep.destroyForcibly().waitFor();
    }
    assertThatThrownBy(() -> Jvms.of(sleep.pid()))
        .isInstanceOf(AttachException.class)
        .hasMessageContaining("no process " + sleep.pid());
  }

  @Test
  void anotherProgramThanFedoraIsLeftAloneUnlessAnyWillDo() throws Exception {
    try (TargetJvm other = TargetJvm.start(folder, List.of(), Map.of(), List.of())) {
      rejects(other, Map.of(), "does not look like a Fedora", "--any");
      assertThat(tool.attach(other.seen(), Map.of(), true, SILENT).message())
          .isEqualTo("attach done");
    }
  }

  @Test
  void aJvmThatKeepsAgentsOutIsNotTouched() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder, "-XX:+DisableAttachMechanism")) {
      rejects(fedora, Map.of(), "-XX:+DisableAttachMechanism", "-javaagent");
    }
    try (TargetJvm fedora =
        TargetJvm.start(
            folder,
            List.of(),
            Map.of("JAVA_TOOL_OPTIONS", "-XX:+DisableAttachMechanism"),
            List.of("-Dfedora.home=/srv/fedora"))) {
      rejects(fedora, Map.of(), "-XX:+DisableAttachMechanism");
    }
    try (TargetJvm fedora = TargetJvm.fedora(folder, "-XX:-EnableDynamicAgentLoading")) {
      rejects(fedora, Map.of(), "-XX:-EnableDynamicAgentLoading", "-javaagent");
    }
  }

  @Test
  void flagsInAFileShowInTheJvmsAnswer() throws Exception {
    Path noAttach = Files.writeString(folder.resolve("a"), "-XX:+DisableAttachMechanism");
    try (TargetJvm fedora = TargetJvm.fedora(folder, "-XX:VMOptionsFile=" + noAttach)) {
      rejects(fedora, Map.of(), "did not answer within 10 s", "-XX:+DisableAttachMechanism");
      assertThat(fedora.isAlive()).isTrue();
    }
    Path noAgents = Files.writeString(folder.resolve("b"), "-XX:-EnableDynamicAgentLoading");
    try (TargetJvm fedora = TargetJvm.fedora(folder, "-XX:VMOptionsFile=" + noAgents)) {
      rejects(fedora, Map.of(), "-XX:-EnableDynamicAgentLoading");
    }
  }

  @Test
  void aJvmThatTheSignalWouldEndIsNotSentIt() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder, "-Xrs", "-XX:+DisableAttachMechanism")) {
      Jvm flagsUnseen = withCommandLine(fedora.seen(), List.of("java"));
      assertThatThrownBy(() -> tool.attach(flagsUnseen, Map.of(), true, SILENT))
          .isInstanceOf(AttachException.class)
          .hasMessageContaining("-Xrs");
      assertThat(fedora.isAlive()).isTrue();
    }
  }

  @Test
  void ignoresASocketLeftByADeadJvm() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      Path socket = Path.of("/tmp/.java_pid" + fedora.pid());
      try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        dead.bind(UnixDomainSocketAddress.of(socket));
      }
      assertThat(socket).exists();

      assertThat(tool.attach(fedora.seen(), Map.of(), false, SILENT).message())
          .isEqualTo("attach done");
    }
  }

  @Test
  void rejectsASocketOfAnotherUser() throws Exception {
    needsRootAnd("setpriv");
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      Path socket = Path.of("/tmp/.java_pid" + fedora.pid());
      try (ServerSocketChannel stranger = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        stranger.bind(UnixDomainSocketAddress.of(socket));
        Files.setAttribute(socket, "unix:uid", (int) NOBODY);
        rejects(fedora, Map.of(), socket.toString(), "delete it");
      } finally {
        Files.delete(socket);
      }
    }
  }

  @Test
  void aStoppedJvmIsNotWaitedFor() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      tool.attach(fedora.seen(), Map.of(), false, SILENT);
      fedora.signal("STOP");
      try {
        rejects(fedora, Map.of(), "is stopped", "kill -CONT " + fedora.pid());
      } finally {
        fedora.signal("CONT");
      }
      assertThat(tool.status(fedora.seen()).message()).isEqualTo("status done");
    }
  }

  @Test
  void oldAndForeignVirtualMachinesAreRefusedByName() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      assertThatThrownBy(() -> tool.status(withVersion(fedora.seen(), "1.7.0_80")))
          .hasMessageContainingAll("Java 1.7.0_80", "Java 8 or newer");
      Jvm seen = fedora.seen();
      Jvm openJ9 =
          new Jvm(
              seen.pid(),
              seen.user(),
              Jvm.Kind.OPENJ9,
              seen.version(),
              seen.started(),
              seen.commandLine(),
              Map.of(),
              seen.fedora(),
              seen.agentJar(),
              true);
      assertThatThrownBy(() -> tool.status(openJ9)).hasMessageContainingAll("OpenJ9", "-javaagent");
    }
  }

  @Test
  void sendsLongOptionsOverTheAgentsConnection() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      String pointcut = "execution(* a.B.c(..)), ".repeat(100) + "and so on";
      List<String> said = new ArrayList<>();
      AgentReport report =
          tool.attach(
              fedora.seen(),
              Map.of("collector", "127.0.0.1:4711", "stage.my.long", pointcut),
              false,
              said::add);
      assertThat(said).containsExactly("reading the options", "weaving");
      assertThat(report.facts())
          .containsEntry("option-collector", "127.0.0.1:4711")
          .containsEntry("option-stage.my.long", pointcut);
    }
  }

  @Test
  void aFileThatIsNotThereIsMissedBeforeTheJvmIsTouched() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      String none = folder.resolve("none").toString();
      rejects(fedora, Map.of("token-file", none), "the token file (" + none + ") does not exist");
      rejects(fedora, Map.of("tls-ca", none), "the file of certificates", "does not exist");
      assertThat(fedora.seen().agentJar()).isEmpty();
    }
  }

  @Test
  void rootAttachesToTheJvmOfAnotherUserThatMayReadTheJar() throws Exception {
    needsRootAnd("setpriv");
    open(folder);
    try (TargetJvm fedora =
        TargetJvm.start(folder, AS_NOBODY, Map.of(), List.of("-Dfedora.home=/srv/fedora"))) {
      Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-------"));
      rejects(fedora, Map.of(), "the agent's jar", "cannot be read by", "ACLs are not checked");
      Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
      Path secret = Files.writeString(folder.resolve("secret"), "t");
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
      rejects(fedora, Map.of("token-file", secret.toString()), "the token file", "cannot be read");

      assertThat(tool.attach(fedora.seen(), Map.of(), false, SILENT).message())
          .isEqualTo("attach done");
      Jvm old = withVersion(fedora.seen(), "1.8.0_412");
      assertThatThrownBy(() -> tool.attach(old, Map.of(), false, SILENT))
          .hasMessageContainingAll("Java 8", "sudo -u ", " fedometer attach " + fedora.pid() + "'");
      assertThatThrownBy(() -> tool.detach(old, SILENT))
          .hasMessageContaining(" fedometer detach " + fedora.pid() + "'");
      assertThatThrownBy(() -> tool.status(old)).hasMessageContaining(" fedometer agent list'");
    }
  }

  @Test
  void anOptionThatCannotBeWrittenDownIsRefusedBeforeTheJvmIsLookedAt() throws Exception {
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      assertThatThrownBy(() -> tool.check(fedora.seen(), Map.of("source-name", "a\\"), false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ends with a backslash");
    }
  }

  @Test
  void anotherUsersJvmIsRefusedByThatUsersName() throws Exception {
    needsRootAnd("setpriv");
    open(folder);
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      String said = runTool(AS_NOBODY, TargetJvm.JAVA, fedora.pid());
      assertThat(said).contains("belongs to root", "sudo -u root fedometer attach " + fedora.pid());
    }
  }

  @Test
  void aJvmInAnotherContainerIsRefusedByWhatItCannotSee() throws Exception {
    needsRootAnd("unshare");
    try (TargetJvm fedora = inside("--net")) {
      rejects(fedora, Map.of(), "another container", "its own network", "inside");
    }
    Path hidden = Files.createDirectory(folder.resolve("hidden"));
    AgentTool ofHiddenJar = new AgentTool(StandInAgent.jar(hidden));
    try (TargetJvm fedora =
        inside("--mount", "sh", "-c", "mount -t tmpfs none " + hidden + " && exec \"$0\" \"$@\"")) {
      assertThatThrownBy(() -> ofHiddenJar.attach(fedora.seen(), Map.of(), false, SILENT))
          .isInstanceOf(AttachException.class)
          .hasMessageContainingAll("another container", "the agent's jar", hidden.toString());
    }
  }

  @Test
  void acceptsNamespacesThatHideNothing() throws Exception {
    needsRootAnd("unshare");
    try (TargetJvm fedora = inside("--mount", "--pid", "--fork", "--kill-child", "--mount-proc")) {
      assertThat(ProcessFiles.of(fedora.pid()).innerPid()).isEqualTo(1);
      assertThat(tool.attach(fedora.seen(), Map.of(), false, SILENT).message())
          .isEqualTo("attach done");
    }
  }

  @Test
  void aRuntimeWithoutTheModuleForAttachingWillDo() throws Exception {
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    needs(Files.isExecutable(jlink), "jlink");
    Path runtime = folder.resolve("runtime");
    Process link =
        new ProcessBuilder(
                jlink.toString(), "--add-modules", "java.base", "--output", runtime.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("jlink").toFile())
            .start();
    assertThat(link.waitFor()).as(Files.readString(folder.resolve("jlink"))).isZero();
    try (TargetJvm fedora = TargetJvm.fedora(folder)) {
      assertThat(runTool(List.of(), runtime.resolve("bin/java").toString(), fedora.pid()))
          .contains("jdk.attach is not here", "attach done");
    }
  }

  private TargetJvm inside(String... unshare) throws IOException {
    List<String> before = new ArrayList<>(List.of("unshare"));
    before.addAll(List.of(unshare));
    return TargetJvm.start(folder, before, Map.of(), List.of("-Dfedora.home=/srv/fedora"));
  }

  private String runTool(List<String> before, String java, long pid) throws Exception {
    List<String> command = new ArrayList<>(before);
    List<String> path = new ArrayList<>(List.of(TargetJvm.classes()));
    for (Class<?> type : List.of(AgentTool.class, AgentReport.class, Histogram.class)) {
      path.add(Path.of(URI.create(StandInAgent.locationOf(type))).toString());
    }
    command.addAll(
        List.of(
            java,
            "-cp",
            String.join(File.pathSeparator, path),
            AttachMain.class.getName(),
            Long.toString(pid),
            jar.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said;
  }

  private void rejects(TargetJvm jvm, Map<String, String> options, String... words) {
    assertThatThrownBy(() -> tool.attach(jvm.seen(), options, false, SILENT))
        .isInstanceOf(AttachException.class)
        .hasMessageContainingAll(words);
  }

  private static Map<String, String> behaving(String manner) {
    return Map.of("source-name", manner);
  }

  private static Jvm withVersion(Jvm jvm, String version) {
    return new Jvm(
        jvm.pid(),
        jvm.user(),
        jvm.kind(),
        version,
        jvm.started(),
        jvm.commandLine(),
        jvm.optionVariables(),
        jvm.fedora(),
        jvm.agentJar(),
        jvm.readable());
  }

  private static Jvm withCommandLine(Jvm jvm, List<String> commandLine) {
    return new Jvm(
        jvm.pid(),
        jvm.user(),
        jvm.kind(),
        jvm.version(),
        jvm.started(),
        commandLine,
        jvm.optionVariables(),
        jvm.fedora(),
        jvm.agentJar(),
        jvm.readable());
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    needs(
        new FilePermissions(NOBODY, Set.of(NOBODY)).mayRead(Path.of(TargetJvm.classes()))
            && new FilePermissions(NOBODY, Set.of(NOBODY)).mayRead(folder),
        "a checkout that all users may read");
  }

  private static void needsRootAnd(String program) {
    needs(ProcessFiles.ofSelf().user() == 0, "root");
    needs(Files.isExecutable(Path.of("/usr/bin", program)), program);
  }

  private static void needs(boolean present, String what) {
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(present).as("needs %s", what).isTrue();
    }
    assertThat(present).as("needs %s", what).isTrue();
  }
}
