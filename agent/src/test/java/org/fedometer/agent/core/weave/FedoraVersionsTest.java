package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.fedometer.agent.StandInInstrumentation;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.Stages;
import org.fedometer.wire.TestDelay;
import org.fedometer.wire.session.AgentReport.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests stages of Fedora 3.0 to 3.3, of which there is no binary. Small classes with the names and
 * the signatures of 3.3 are compiled, woven like a running Fedora, and run an ingest.
 */
@Tag("slow")
class FedoraVersionsTest {

  private static final long TIMEOUT_MILLIS = 60_000;
  private static final Path STAND_INS = Path.of("src/test/resources/stand-ins/fedora-3.3");

  @TempDir private Path folder;
  private Path classes;

  private final Map<String, byte[]> woven = new ConcurrentSkipListMap<>();
  private final Recording recording = new Recording(256, 16);
  private final Map<String, Integer> calls = new TreeMap<>();
  private final Map<String, Long> maxNanos = new TreeMap<>();
  private final List<String> traces = new ArrayList<>();
  private final List<URLClassLoader> deployments = new ArrayList<>();
  private long selfNanos;
  private long ingestNanos;
  private ClassFileTransformer transformer;
  private Weaving weaving;
  private Object management;

  @BeforeEach
  void weaveFedora33() throws Exception {
    compile(UnaryOperator.identity());
    deploy();
    weave(CustomStages.none());
    Recorder.start(recording);
  }

  @AfterEach
  void stop() throws Exception {
    Recorder.stop();
    weaving.end(TIMEOUT_MILLIS);
    for (URLClassLoader deployment : deployments) {
      deployment.close();
    }
  }

  private void weave(CustomStages own) throws Exception {
    weaving = new Weaving(instrumentation(), WeavingPlan.load(own), new AgentLog());
    assertThat(weaving.begin(TIMEOUT_MILLIS)).isTrue();
    management = wovenManagement();
  }

  private Object wovenManagement() throws Exception {
    return new Woven()
        .loadClass("fedora.server.management.DefaultManagement")
        .getConstructor()
        .newInstance();
  }

  /** Fedora as it is compiled now, as one more webapp. */
  private Class<?> deploy() throws Exception {
    deployments.add(
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader()));
    return deployments
        .get(deployments.size() - 1)
        .loadClass("fedora.server.management.DefaultManagement");
  }

  @Test
  void everyStageThatTheClassesHaveIsWovenAndNoneFails() {
    Map<String, String> states = new TreeMap<>();
    for (Stage stage : weaving.report().stages()) {
      states.put(stage.name(), stage.weaving().name());
    }
    assertThat(states)
        .containsEntry("ingest", "WOVEN")
        .containsEntry("ingest.prepare.wait", "WOVEN")
        .containsEntry("ingest.pid.wait", "WOVEN")
        .containsEntry("database.replace-dates", "WOVEN")
        .containsEntry("store.exists", "NOT_FOUND")
        .containsEntry("triples.wait", "NOT_FOUND")
        .doesNotContainValue("FAILED");
  }

  @Test
  void anIngestPassesItsStages() throws Exception {
    assertThat(ingest("test:1")).isEqualTo("test:1");
    drain();

    assertThat(calls)
        .containsOnly(
            entry("content.discard", 1),
            entry("content.temporary-file", 1),
            entry("database.insert", 2),
            entry("database.replace-dates", 2),
            entry("database.replace-row", 1),
            entry("database.select", 2),
            entry("database.update", 2),
            entry("index.fields", 1),
            entry("ingest", 1),
            entry("ingest.authorization", 1),
            entry("ingest.commit", 1),
            entry("ingest.dublin-core", 1),
            entry("ingest.exists", 1),
            entry("ingest.lock", 1),
            entry("ingest.parse", 2),
            entry("ingest.pid", 1),
            entry("ingest.pid.wait", 1),
            entry("ingest.prepare", 1),
            entry("ingest.prepare.wait", 1),
            entry("ingest.serialize", 1),
            entry("ingest.validate", 1),
            entry("ingest.validate.schematron", 1),
            entry("ingest.validate.xsd", 1),
            entry("pool.acquire", 4),
            entry("pool.release", 4),
            entry("registry.register", 1),
            entry("store.datastream", 1),
            entry("store.foxml", 1),
            entry("triples.generate", 1));
    assertThat(traces).containsExactly("ingest test:1 well");
  }

  @Test
  void countsAPooledConnectionOnce() throws Exception {
    Object pool =
        new Woven()
            .loadClass("fedora.server.storage.ConnectionPool")
            .getConstructor()
            .newInstance();
    call(pool, "getTableCreatingConnection");
    drain();
    assertThat(calls).containsOnly(entry("pool.acquire", 1));
  }

  @Test
  void waitingToPrepareAnObjectIsASeparateStage() throws Exception {
    Object lock = management.getClass().getMethod("lock").invoke(management);
    Thread waiting = new Thread(() -> ingestUnchecked("test:late"));
    synchronized (lock) {
      waiting.start();
      await().until(() -> waiting.getState() == Thread.State.BLOCKED);
      TestDelay.sleep(Duration.ofMillis(500));
    }
    waiting.join();
    drain();

    assertThat(maxNanos.get("ingest.prepare.wait"))
        .isGreaterThan(500_000_000L)
        .isGreaterThan(maxNanos.get("ingest.prepare"));
  }

  @Test
  void customStageMayBeWhereAWaitBeginsOrEnds() throws Exception {
    weaving.end(TIMEOUT_MILLIS);
    weave(
        CustomStages.of(
            Map.of(
                "my.call",
                "call(* fedora.server.storage.DOManager.getIngestWriter(..))"
                    + " && within(fedora.server.management.DefaultManagement)",
                "my.execution",
                "execution(* fedora.server.storage.DefaultDOManager.getIngestWriter(..))"),
            null));
    ingest("test:1");
    drain();

    assertThat(calls)
        .containsEntry("my.call", 1)
        .containsEntry("my.execution", 1)
        .containsEntry("ingest.prepare", 1)
        .containsEntry("ingest.prepare.wait", 1);
    assertThat(weaving.report().summary()).doesNotContain("complaints");
    assertThat(selfNanos).isEqualTo(ingestNanos);
  }

  @Test
  void aWaitGoesWithTheDeploymentThatHasTheLock() throws Exception {
    ingest("test:1");
    compile(source -> source.replace("public synchronized DOWriter", "public DOWriter"));
    woven.clear();
    Class<?> next = deploy();
    transformer.transform(
        next.getClassLoader(), next.getName().replace('.', '/'), null, null, new byte[0]);
    await()
        .atMost(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .until(() -> stateOf("ingest.prepare.wait").equals("NOT_FOUND"));
    drain();
    assertThat(calls).containsEntry("ingest.prepare.wait", 1);
    calls.clear();
    selfNanos = 0;
    ingestNanos = 0;
    ingest(wovenManagement(), "test:2");
    drain();

    assertThat(calls)
        .containsEntry("ingest.prepare", 1)
        .containsEntry("ingest.pid.wait", 1)
        .doesNotContainKey("ingest.prepare.wait");
    assertThat(selfNanos).as("nothing is swallowed by a wait without end").isEqualTo(ingestNanos);
    assertThat(stateOf("ingest.pid.wait")).isEqualTo("WOVEN");
  }

  @Test
  void aWaitGoesWithTheAgent() throws Exception {
    weaving.end(TIMEOUT_MILLIS);
    ingest("test:1");
    drain();
    assertThat(calls).containsEntry("ingest.prepare", 1).doesNotContainKey("ingest.prepare.wait");
  }

  @Test
  void aCallThatNeverGetsTheLockLeavesTheRecorderInOrder() throws Exception {
    Object lost =
        management
            .getClass()
            .getConstructor(
                management.getClass().getClassLoader().loadClass("fedora.server.storage.DOManager"))
            .newInstance((Object) null);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> ingest(lost, "test:lost")).isInstanceOf(NullPointerException.class);
    }
    ingest("test:after");
    drain();

    assertThat(calls)
        .containsEntry("ingest", 4)
        .containsEntry("ingest.prepare", 1)
        .containsEntry("ingest.prepare.wait", 1);
    assertThat(traces)
        .containsExactly(
            "ingest null failed",
            "ingest null failed",
            "ingest null failed",
            "ingest test:after well");
  }

  @Test
  void recordsOtherOperationsAndTheirOutcome() throws Exception {
    purge("test:1", true);
    assertThatThrownBy(() -> purge("test:2", false)).isInstanceOf(IllegalStateException.class);
    drain();

    assertThat(calls).containsOnly(entry("purge", 2));
    assertThat(traces).containsExactly("purge-object test:1 well", "purge-object test:2 failed");
  }

  private String ingest(String pid) throws Exception {
    return ingest(management, pid);
  }

  private String ingest(Object target, String pid) throws Exception {
    InputStream body = new ByteArrayInputStream(pid.getBytes(StandardCharsets.UTF_8));
    return (String) call(target, "ingest", null, body, "log", "format", "UTF-8", false);
  }

  private void ingestUnchecked(String pid) {
    try {
      ingest(pid);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void purge(String pid, boolean force) throws Exception {
    call(management, "purgeObject", null, pid, "log", force);
  }

  private static Object call(Object target, String name, Object... arguments) throws Exception {
    for (Method method : target.getClass().getMethods()) {
      if (method.getName().equals(name)) {
        try {
          return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
          throw (Exception) e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(name);
  }

  private String stateOf(String name) {
    return weaving.report().stages().stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow()
        .weaving()
        .name();
  }

  private void drain() {
    recording.drain(
        (stage, thread, trace, startNanos, durationNanos, own, failed) -> {
          String name = Stages.names().get(stage);
          calls.merge(name, 1, Integer::sum);
          maxNanos.merge(name, own, Math::max);
          selfNanos += own;
          ingestNanos += name.equals("ingest") ? durationNanos : 0;
        },
        (trace, stage, pid, traceparent, operation, failed) ->
            traces.add(operation + " " + pid + (failed ? " failed" : " well")));
  }

  /** Compiles changed copies of the stand-ins from a separate folder. */
  private void compile(UnaryOperator<String> change) throws Exception {
    Path copies = Files.createTempDirectory(folder, "sources");
    classes = Files.createTempDirectory(folder, "classes");
    List<String> arguments =
        new ArrayList<>(List.of("--release", "11", "-nowarn", "-d", classes.toString()));
    List<Path> sources;
    try (Stream<Path> all = Files.walk(STAND_INS)) {
      sources = all.filter(source -> source.toString().endsWith(".java")).toList();
    }
    for (Path source : sources) {
      Path copy = copies.resolve(STAND_INS.relativize(source));
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, change.apply(Files.readString(source)));
      arguments.add(copy.toString());
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
  }

  /** Transforms again as the JVM would, and keeps what comes out. */
  private Instrumentation instrumentation() {
    return StandInInstrumentation.of(
        added -> transformer = added,
        () ->
            new Class<?>[] {
              deployments.get(0).loadClass("fedora.server.management.DefaultManagement")
            },
        this::retransform);
  }

  private void retransform(Class<?>[] batch) throws Exception {
    for (Class<?> type : batch) {
      String name = type.getName().replace('.', '/');
      try (InputStream in = type.getClassLoader().getResourceAsStream(name + ".class")) {
        byte[] bytecode = in.readAllBytes();
        if (transformer != null) {
          byte[] changed = transformer.transform(type.getClassLoader(), name, type, null, bytecode);
          woven.put(type.getName(), changed == null ? bytecode : changed);
        }
      }
    }
  }

  /** The same classes again, as they were woven. */
  private final class Woven extends ClassLoader {
    Woven() {
      super(FedoraVersionsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytecode = woven.get(name);
      try {
        if (bytecode == null) {
          bytecode = Files.readAllBytes(classes.resolve(name.replace('.', '/') + ".class"));
        }
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
      return defineClass(name, bytecode, 0, bytecode.length);
    }
  }
}
