package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Fedora under load, into which the agent goes and out of which it comes. */
@Tag("fedora")
class AgentInFedoraIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);

  /** {@code -Dfedometer.cycles=50} needs minutes. */
  private static final int CYCLES = Integer.getInteger("fedometer.cycles", 5);

  private static final int CLIENTS = 3;

  /**
   * Pause of the clients in all cycles but the first: requests are always in flight, and the weaver
   * need not wait for a CPU. Clients before and after them use all CPUs.
   */
  private static final Duration THINK_TIME = Duration.ofMillis(50);

  /** Classes that the JDK and Fedora may load meanwhile. */
  private static final long HEAP_NOISE_BYTES = 16 << 20;

  /** A copy of the agent that stays would be some 500. */
  private static final int CLASS_NOISE = 200;

  private static final Pattern CLASS_NOT_OF_FEDORA =
      Pattern.compile(
          "(?m)^[| -]*((?:javax?|jdk|sun|com[.]sun|org[.](?:fedometer|aspectj))[.][^/\\s]+)");

  private static final Pattern HISTOGRAM_LINE =
      Pattern.compile("(?m)^ *\\d+: +\\d+ +(\\d+) +(\\S+)");

  private static final Pattern ISOLATED_CLASS =
      Pattern.compile("org[.](fedometer[.]agent[.]core|aspectj[.]weaver)[.]");

  @TempDir private Path folder;
  private Fedometer fedometer;
  private Fedometer.Call collector;
  private String pid;
  private Path javaHome;

  /** Cleans up after a failed test. */
  @AfterEach
  void end() throws Exception {
    if (collector != null) {
      collector.process().destroyForcibly().waitFor();
    }
    fedometer.start("stack", "down", "--home", folder.resolve("fedora").toString()).await(TIMEOUT);
  }

  @Test
  void theAgentLeavesNoTraceOnTheJavaOfThisBuild() throws Exception {
    javaHome = Path.of(System.getProperty("java.home"));
    attachAndDetachRepeatedly("mptstore-postgresql");
  }

  @Test
  void theAgentLeavesNoTraceOnJava25() throws Exception {
    javaHome = java25();
    attachAndDetachRepeatedly("mulgara-derby", "--set", Fedometer.QUICK_COMPILER);
  }

  private void attachAndDetachRepeatedly(String... profile) throws Exception {
    fedometer = new Fedometer(folder);
    Path home = folder.resolve("fedora");
    collector = collector(0);
    int port = URI.create("//" + collector.address()).getPort();
    up(home, profile, "--no-agent");
    JsonNode stack = fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0);
    pid = stack.get("pid").asText();
    Map<String, String> attachedStages;
    long ingestedWhileKilled;
    try (IngestLoad load =
        new IngestLoad(
            stack.get("url").asText(),
            stack.get("user").asText(),
            Files.readString(Path.of(stack.get("passwordFile").asText())).strip(),
            CLIENTS)) {
      awaitMore(load, 20);
      attach(port, "first");
      attachedStages = stages();
      awaitMore(load, 20);
      detach();
      int classesOfOneCycle = classesOutsideIsolatedLoader();
      Map<String, Long> heapOfOneCycle = liveHeap();

      load.thinkTime(THINK_TIME);
      for (int cycle = 2; cycle <= CYCLES; cycle++) {
        attach(port, "cycle-" + cycle);
        awaitMore(load, 5);
        detach();
      }
      assertThat(load.failures()).isEmpty();
      load.thinkTime(Duration.ZERO);
      load.pause();
      assertThat(jcmd("Thread.print")).doesNotContain("fedometer-");
      assertThat(classesOutsideIsolatedLoader()).isLessThan(classesOfOneCycle + CLASS_NOISE);
      Map<String, Long> heapOfAll = liveHeap();
      assertThat(bytes(heapOfAll))
          .as(() -> growth(heapOfOneCycle, heapOfAll))
          .isLessThan(bytes(heapOfOneCycle) + HEAP_NOISE_BYTES);

      attach(port, "killed");
      long before = load.ingested();
      load.resume();
      awaitMore(load, 30);
      collector.process().destroyForcibly().waitFor();
      awaitMore(load, 30);
      collector = collector(port);
      awaitMore(load, 30);

      assertWrongOptionsAreRejected(port);
      assertThat(agentClassesVisibleToFedora())
          .isNotEmpty()
          .allMatch(
              name ->
                  name.startsWith("org.fedometer.")
                      || name.equals("org.aspectj.lang.NoAspectBoundException"));
      load.pause();
      assertNewWebappIsTimedAndReleased(home.resolve("fedora/tomcat"));
      ingestedWhileKilled = load.ingested() - before;
      detach();
      assertThat(load.failures()).isEmpty();
    }

    fedometer
        .start("stack", "down", "--home", home.toString())
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    up(home, profile, "--collector", "127.0.0.1:" + port);
    pid =
        fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0).get("pid").asText();
    assertThat(stages()).isEqualTo(attachedStages);
    fedometer
        .start("stack", "down", "--home", home.toString(), "--delete")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    collector.process().destroy();
    collector.await(TIMEOUT);

    assertThat(count("killed", "stage = 'ingest' AND NOT failed")).isEqualTo(ingestedWhileKilled);
    assertJvmIsDescribed();
    assertThat(count("killed", "thread = 'mini-webapp' AND stage = 'ingest.parse'")).isPositive();
    assertThat(fedometer.processesLeft()).isEmpty();
  }

  private void up(Path home, String[] profile, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("stack", "up", "--profile"));
    arguments.addAll(List.of(profile));
    arguments.addAll(List.of("--home", home.toString(), "--store", fedometer.store().toString()));
    arguments.addAll(List.of(more));
    fedometer
        .start(Map.of("JAVA_HOME", javaHome.toString()), arguments.toArray(String[]::new))
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
  }

  private JsonNode attach(int port, String runName) throws Exception {
    return fedometer
        .start("attach", pid, "--collector", "127.0.0.1:" + port, "--name", runName, "--json")
        .await(TIMEOUT)
        .expect(ExitCode.DONE)
        .json();
  }

  private void detach() throws Exception {
    fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.DONE);
  }

  private Fedometer.Call collector(int port) throws Exception {
    Fedometer.Call collector = fedometer.startWithStore("collect", "--listen", "127.0.0.1:" + port);
    assertThat(collector.address()).isNotEmpty();
    return collector;
  }

  private void assertWrongOptionsAreRejected(int port) throws Exception {
    Path secret = folder.resolve("no-such-token");
    for (List<String> wrong :
        List.of(
            List.of("--memory", "1k"),
            List.of("--collector", "127.0.0.1:0"),
            List.of("--collector", "nowhere"),
            List.of("--name", "a/../b"),
            List.of("--token-file", secret.toString()))) {
      List<String> arguments =
          Stream.concat(
                  Stream.of("attach", pid, "--collector", "127.0.0.1:" + port), wrong.stream())
              .toList();
      var call = fedometer.start(arguments.toArray(String[]::new)).await(TIMEOUT);
      assertThat(call.process().exitValue()).as(wrong.toString()).isNotZero();
    }
    JsonNode agent = fedometer.start("agent", "resume", pid, "--json").await(TIMEOUT).json();
    assertThat(agent.get("state").asText()).isEqualTo("recording");
    assertThat(agent.get("runName").asText()).isEqualTo("killed");
  }

  /** Names are those of all classes in our jar, without and within. */
  private List<String> agentClassesVisibleToFedora() throws Exception {
    Path names = folder.resolve("names");
    Path agentJar = Path.of("target/fedometer/agent/fedometer-agent.jar");
    try (JarFile jar = new JarFile(agentJar.toFile())) {
      Files.write(
          names,
          jar.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.endsWith(".class") || name.endsWith(".classdata"))
              .map(name -> name.replaceFirst("^inside/", "").replaceFirst("[.]class(data)?$", ""))
              .map(name -> name.replace('/', '.'))
              .toList());
    }
    Path probe = folder.resolve("probe.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Agent-Class", LoadedClassesAgent.class.getName());
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(probe), manifest)) {
      String entry = LoadedClassesAgent.class.getName().replace('.', '/') + ".class";
      jar.putNextEntry(new ZipEntry(entry));
      jar.write(LoadedClassesAgent.class.getResourceAsStream("/" + entry).readAllBytes());
    }
    VirtualMachine machine = VirtualMachine.attach(pid);
    try {
      machine.loadAgent(probe.toString(), names.toString());
    } finally {
      machine.detach();
    }
    return Files.readAllLines(names);
  }

  /** A webapp with one class of the plan comes into Fedora's Tomcat, works, and goes. */
  private void assertNewWebappIsTimedAndReleased(Path tomcat) throws Exception {
    long loadersBefore = webappLoaders();
    Path classes = Files.createDirectories(folder.resolve("mini/WEB-INF/classes"));
    Path sources = Files.createDirectories(folder.resolve("mini-sources"));
    Path stage = sources.resolve("DOTranslatorImpl.java");
    Files.writeString(
        stage,
        """
        package org.fcrepo.server.storage.translation;

        public class DOTranslatorImpl {
          public void deserialize() {}
        }
        """);
    Path listener = sources.resolve("Mini.java");
    Files.writeString(
        listener,
        """
        import java.util.concurrent.locks.LockSupport;
        import javax.servlet.ServletContextEvent;
        import javax.servlet.ServletContextListener;
        import org.fcrepo.server.storage.translation.DOTranslatorImpl;

        public class Mini implements ServletContextListener {
          private volatile boolean ended;
          private final Thread worker =
              new Thread(
                  () -> {
                    while (!ended) {
                      new DOTranslatorImpl().deserialize();
                      LockSupport.parkNanos(1_000_000);
                    }
                  },
                  "mini-webapp");

          @Override
          public void contextInitialized(ServletContextEvent event) {
            worker.start();
          }

          @Override
          public void contextDestroyed(ServletContextEvent event) {
            ended = true;
          }
        }
        """);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "8",
                "-nowarn",
                "-Xlint:-options",
                "-cp",
                tomcat.resolve("lib/servlet-api.jar").toString(),
                "-d",
                classes.toString(),
                stage.toString(),
                listener.toString());
    assertThat(compiled).isZero();
    Files.writeString(
        classes.resolveSibling("web.xml"),
        "<web-app version='2.5' xmlns='http://java.sun.com/xml/ns/javaee'><listener>"
            + "<listener-class>Mini</listener-class></listener></web-app>");
    Path deployed = tomcat.resolve("webapps/mini");
    Files.move(folder.resolve("mini"), deployed);
    await().atMost(TIMEOUT).until(() -> jcmd("Thread.print").contains("\"mini-webapp\""));
    awaitParsesOfMini();
    try (Stream<Path> files = Files.walk(deployed, new FileVisitOption[0])) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    await().atMost(TIMEOUT).until(() -> !jcmd("Thread.print").contains("\"mini-webapp\""));
    await().atMost(TIMEOUT).until(() -> webappLoaders() == loadersBefore);
  }

  /** Waits until {@code top} shows the parses; nothing else runs at this time. */
  private void awaitParsesOfMini() {
    await()
        .atMost(TIMEOUT)
        .until(
            () ->
                fedometer
                    .start("top", pid, "--json", "--count", "1")
                    .await(TIMEOUT)
                    .expect(ExitCode.DONE)
                    .json()
                    .get("stages")
                    .findValues("stage")
                    .stream()
                    .anyMatch(stage -> stage.asText().equals("ingest.parse")));
  }

  private long webappLoaders() throws Exception {
    Matcher line =
        Pattern.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +\\S*\\.WebappClassLoader\\b[^$\\n]*$")
            .matcher(jcmd("GC.class_histogram"));
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }

  /** Bytes of the live objects of each class. */
  private Map<String, Long> liveHeap() throws Exception {
    return HISTOGRAM_LINE
        .matcher(jcmd("GC.class_histogram"))
        .results()
        .collect(
            Collectors.toMap(
                line -> line.group(2), line -> Long.valueOf(line.group(1)), Long::sum));
  }

  private static long bytes(Map<String, Long> heap) {
    assertThat(heap).containsKey("[B");
    return heap.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Describes a failure. */
  private static String growth(Map<String, Long> before, Map<String, Long> after) {
    return after.entrySet().stream()
        .map(
            each ->
                Map.entry(each.getKey(), each.getValue() - before.getOrDefault(each.getKey(), 0L)))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(20)
        .map(each -> each.getKey() + " +" + each.getValue())
        .collect(Collectors.joining("\n", "bytes that came in the meantime\n", ""));
  }

  /** Classes that the JDK and the agent have brought; Fedora goes on to load its own. */
  private int classesOutsideIsolatedLoader() {
    return await()
        .atMost(TIMEOUT)
        .until(
            this::classesNotOfFedora,
            names ->
                names.contains("java.lang.Object")
                    && names.stream().noneMatch(name -> ISOLATED_CLASS.matcher(name).lookingAt()))
        .size();
  }

  private List<String> classesNotOfFedora() throws Exception {
    // Collects regardless of the JVM's flags for explicit collections.
    jcmd("GC.class_histogram");
    return CLASS_NOT_OF_FEDORA
        .matcher(jcmd("VM.class_hierarchy"))
        .results()
        .map(line -> line.group(1))
        .toList();
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path out = folder.resolve("jcmd.out");
    Process process =
        new ProcessBuilder(javaHome.resolve("bin/jcmd").toString(), pid, command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(command).isZero();
    return Files.readString(out);
  }

  private void assertJvmIsDescribed() throws Exception {
    assertThat(
            countOf(
                "killed",
                "telemetry WHERE metric = 'jvm.memory.used.heap' AND value BETWEEN 1e7 AND 4e9"))
        .isGreaterThan(3);
    assertThat(
            countOf("killed", "telemetry WHERE metric = 'fedora.home.disk.free' AND value > 1e6"))
        .isPositive();
    assertThat(countOf("killed", "telemetry WHERE metric = 'triples.flush.updates'")).isPositive();
  }

  private long count(String run, String condition) throws Exception {
    return countOf(run, "samples WHERE " + condition);
  }

  private long countOf(String run, String tableAndCondition) throws Exception {
    return fedometer
        .startWithStore(
            "runs",
            "query",
            "SELECT count(*) AS n FROM " + tableAndCondition,
            "--run",
            run,
            "--format",
            "json")
        .await(TIMEOUT)
        .expect(ExitCode.DONE)
        .json()
        .get(0)
        .get("n")
        .asLong();
  }

  private static void awaitMore(IngestLoad load, int objects) {
    long enough = load.ingested() + objects;
    await().atMost(TIMEOUT).until(() -> load.ingested() >= enough);
  }

  /** Once they are woven, which goes on behind the command where a machine is busy. */
  private Map<String, String> stages() {
    Map<String, String> stages =
        await().atMost(TIMEOUT).until(this::currentStages, by -> "woven".equals(by.get("ingest")));
    assertThat(stages).doesNotContainValue("failed");
    return stages;
  }

  private Map<String, String> currentStages() throws Exception {
    Map<String, String> stages = new TreeMap<>();
    fedometer
        .start("agent", "resume", pid, "--json")
        .await(TIMEOUT)
        .json()
        .get("stages")
        .forEach(stage -> stages.put(stage.get("stage").asText(), stage.get("state").asText()));
    return stages;
  }

  /** Returns the location of its installers, or that of a variable. */
  private static Path java25() throws IOException {
    String variable = System.getenv("JAVA_HOME_25_X64");
    if (variable != null) {
      return Path.of(variable);
    }
    Path usual = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(usual)) {
      try (Stream<Path> homes = Files.list(usual)) {
        Optional<Path> found =
            homes
                .filter(home -> home.getFileName().toString().matches(".*\\b25\\b.*"))
                .filter(home -> Files.isExecutable(home.resolve("bin/jcmd")))
                .findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      throw new AssertionError("a JDK 25 is required: install one, or set JAVA_HOME_25_X64");
    }
    return abort("no JDK 25 here: install one, or set JAVA_HOME_25_X64");
  }
}
