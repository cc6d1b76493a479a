package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.fcrepo.server.management.DefaultManagement;
import org.fcrepo.server.storage.StandInReaders;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.fedometer.agent.StandInInstrumentation;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.session.AgentReport.Stage;
import org.fedometer.wire.session.AgentReport.Weaving;
import org.junit.jupiter.api.Test;

/** The ITs cover the real JVM; here it rejects classes, which it seldom does. */
class WeavingTest {

  private static final long TIMEOUT_MILLIS = 60_000;
  private static final String READ =
      "execution(* " + StandInReaders.class.getName() + ".Reader.read(..))";

  private final List<List<Class<?>>> batches = new CopyOnWriteArrayList<>();
  private final AtomicInteger outOfMemory = new AtomicInteger();
  private ClassFileTransformer transformer;
  private Set<Class<?>> rejected = Set.of();
  private boolean rejectsCustom;
  private volatile Class<?> loaded = DefaultManagement.class;
  private volatile Class<?> alsoLoaded = String.class;

  /** Duration of listing the loaded classes. */
  private volatile long searchMillis;

  /** Also loaded; the JVM accepts them as they are. */
  private final Set<Class<?>> many = new HashSet<>();

  /** How often the class file of one of them was looked for. */
  private final AtomicInteger classFileRequests = new AtomicInteger();

  @Test
  void weavesAllClassesOfALoaderInOneBatchAsSoonAsOneIsThere() throws Exception {
    var weaving = begun();
    assertThat(batches).hasSize(1);
    assertThat(batches.get(0)).contains(DefaultManagement.class, DOTranslatorImpl.class);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
    assertThat(batches).hasSize(2);
    assertThat(batches.get(1)).containsExactlyInAnyOrderElementsOf(batches.get(0));
    assertThat(transformer).isNull();
  }

  @Test
  void reportsWovenMissingAndRejectedStages() throws Exception {
    rejected = Set.of(DOTranslatorImpl.class);
    var weaving = begun();
    assertThat(stage(weaving, "ingest").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(stage(weaving, "ingest").detail())
        .isEqualTo("org.fcrepo.server.management.DefaultManagement.ingest");
    assertThat(stage(weaving, "content.upload").weaving()).isEqualTo(Weaving.NOT_FOUND);
    assertThat(stage(weaving, "content.upload").detail())
        .isEqualTo("org.fcrepo.server.management.DefaultManagement has no such method");
    assertThat(stage(weaving, "store.foxml").weaving()).isEqualTo(Weaving.NOT_FOUND);
    assertThat(stage(weaving, "store.foxml").detail())
        .startsWith("no class org.fcrepo.server.storage.lowlevel.akubra.");
    assertThat(stage(weaving, "ingest.parse").weaving()).isEqualTo(Weaving.FAILED);
    assertThat(stage(weaving, "ingest.parse").detail()).contains("rejects", "not these");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void reportsCapturesSeparately() throws Exception {
    rejected = Set.of(Logger.class);
    var weaving = begun();
    assertThat(weaving.report().captures())
        .extracting(Stage::name)
        .containsExactly(
            "ingested-object",
            "log4j-events",
            "logback-events",
            "operations",
            "query-operations",
            "request-identity",
            "triple-flushes");
    assertThat(weaving.report().captures())
        .extracting(Stage::weaving)
        .containsExactly(
            Weaving.WOVEN,
            Weaving.WOVEN,
            Weaving.FAILED,
            Weaving.NOT_FOUND,
            Weaving.NOT_FOUND,
            Weaving.WOVEN,
            Weaving.WOVEN);
    assertThat(weaving.report().captures())
        .extracting(Stage::detail)
        .contains(
            "org.fcrepo.server.management.DefaultManagement.ingest",
            "ch.qos.logback.classic.Logger: the JVM rejects its woven bytecode: not these",
            "org.fcrepo.server.management.DefaultManagement has no such method");
    assertThat(weaving.report().stages())
        .extracting(Stage::name)
        .doesNotContain("logback-events", "operations");
    assertThat(weaving.report().summary()).contains("of 7 captures", "failed: logback-events");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void aClassThatCannotBeRestoredIsNamed() throws Exception {
    var weaving = begun();
    rejected = Set.of(DefaultManagement.class);
    assertThat(weaving.end(TIMEOUT_MILLIS))
        .singleElement()
        .asString()
        .startsWith(DefaultManagement.class.getName() + " cannot be restored");
  }

  @Test
  void aClassLoaderThatDoesNotAnswerKeepsTheEndOfWeavingOnlyAsLongAsItIsAllowedTo()
      throws Exception {
    var weaving = begun();
    var asked = new CountDownLatch(1);
    var mayAnswer = new CountDownLatch(1);
    transformer.transform(
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked.countDown();
            try {
              mayAnswer.await();
            } catch (InterruptedException e) {
              throw new ClassNotFoundException(name, e);
            }
            return super.loadClass(name, resolve);
          }
        },
        DefaultManagement.class.getName().replace('.', '/'),
        null,
        null,
        new byte[0]);
    asked.await();

    assertThatThrownBy(() -> weaving.end(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("try again");
    assertThat(transformer).isNotNull();

    mayAnswer.countDown();
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
    assertThat(transformer).isNull();
  }

  @Test
  void aClassLoaderThatDoesNotAnswerKeepsTheBeginningOnlyAsLongAsItIsAllowedTo() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    loaded = new SlowLoader(mayAnswer).define(DefaultManagement.class);
    var weaving =
        new org.fedometer.agent.core.weave.Weaving(
            instrumentation(), WeavingPlan.load(CustomStages.none()), new AgentLog());

    assertThat(weaving.begin(1)).isFalse();
    assertThat(batches).isEmpty();

    mayAnswer.countDown();
    await().until(() -> stage(weaving, "ingest").weaving() == Weaving.WOVEN);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void aClassLoaderThatAnswersOnlyWhenTheEndWasGivenUpGetsNothingWoven() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    loaded = new SlowLoader(mayAnswer).define(DefaultManagement.class);
    var weaving =
        new org.fedometer.agent.core.weave.Weaving(
            instrumentation(), WeavingPlan.load(CustomStages.none()), new AgentLog());
    assertThat(weaving.begin(1)).isFalse();
    assertThatThrownBy(() -> weaving.end(1)).isInstanceOf(IllegalStateException.class);
    assertThat(weaving.isEnding()).isTrue();

    mayAnswer.countDown();
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
    assertThat(batches).isEmpty();
  }

  @Test
  void anAttemptThatRanOutOfMemoryIsMadeAgain() throws Exception {
    // All at once, and the first one alone.
    outOfMemory.set(2);
    var weaving = begun();
    assertThat(stage(weaving, "ingest").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(stage(weaving, "ingest.parse").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(stage(weaving, "ingest.parse").detail()).doesNotContain("memory");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void anAttemptAtTheUsersStagesThatRanOutOfMemoryIsMadeAgain() throws Exception {
    // All at once, and the only one alone; no other class comes.
    outOfMemory.set(2);
    loaded = StandInReaders.FileReader.class;
    var weaving = begun(CustomStages.of(Map.of("my.read", READ), null));
    assertThat(stage(weaving, "my.read").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void asManyClassesAsMayHaveTheUsersStagesAreNotTooManyForTheNextAttempt() throws Exception {
    // All at once, and the first one alone.
    outOfMemory.set(2);
    loaded = String.class;
    load(org.fedometer.agent.core.weave.Weaving.CHOSEN_LIMIT, StandInReaders.FileReader.class);
    var weaving = begun(CustomStages.of(Map.of("my.read", READ), null));
    assertThat(batches.get(batches.size() - 1)).containsExactlyInAnyOrderElementsOf(many);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void stageInTooManyClassesDoesNotBlockAnother() throws Exception {
    int limit = org.fedometer.agent.core.weave.Weaving.CHOSEN_LIMIT;
    load(limit + 1, StandInReaders.PatientReader.class);
    loaded = StandInReaders.FileReader.class;
    var weaving =
        begun(
            CustomStages.of(
                Map.of(
                    "my.wide",
                    "execution(* org.fcrepo..Patient*.wait*(..))",
                    "my.narrow",
                    "call(* java.util.function.Supplier.get()) && within(org.fcrepo..*FileReader)"),
                null));
    assertThat(stage(weaving, "my.narrow").detail())
        .isEqualTo(StandInReaders.FileReader.class.getName() + ".read");
    assertThat(stage(weaving, "my.wide").detail())
        .isEqualTo(
            "it has places in more than "
                + limit
                + " classes; the others are not woven for it; narrow the pointcut");
    assertThat(batches.get(0)).hasSize(limit + 1).contains(StandInReaders.FileReader.class);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void doesNotWeaveAClassBeyondTheLimit() throws Exception {
    int limit = org.fedometer.agent.core.weave.Weaving.CHOSEN_LIMIT;
    load(limit + 11, StandInReaders.PatientReader.class);
    var weaving =
        begun(
            CustomStages.of(
                Map.of("my.wide", "execution(* org.fcrepo..Patient*.wait*(..))"), null));
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
    // Once to read its methods, and again to weave it.
    assertThat(classFileRequests).hasValue(2 * (limit + 1) + 10);
  }

  /** Loads copies without a class file. */
  private void load(int copies, Class<?> type) throws IOException {
    for (int copy = 0; copy < copies; copy++) {
      many.add(
          new CountingLoader(
                  name -> {
                    classFileRequests.incrementAndGet();
                    throw new IllegalStateException("no class file");
                  })
              .define(type));
    }
  }

  @Test
  void whatAnAttemptMayHaveWovenBeforeItRanOutOfMemoryIsRestored() throws Exception {
    outOfMemory.set(Integer.MAX_VALUE);
    var weaving =
        new org.fedometer.agent.core.weave.Weaving(
            instrumentation(), WeavingPlan.load(CustomStages.none()), new AgentLog());
    assertThat(weaving.begin(1)).isFalse();
    await().until(() -> !batches.isEmpty());

    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
    assertThat(batches.get(batches.size() - 1))
        .containsExactlyInAnyOrderElementsOf(batches.get(0))
        .contains(DefaultManagement.class, DOTranslatorImpl.class);
  }

  @Test
  void weavesAClassWithoutCustomStagesIfTheJvmRejectsThem() throws Exception {
    rejectsCustom = true;
    var own =
        CustomStages.of(
            Map.of("my.refused", "execution(* " + DefaultManagement.class.getName() + ".*(..))"),
            null);
    var weaving = begun(own);
    assertThat(stage(weaving, "ingest").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(stage(weaving, "ingest.parse").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(stage(weaving, "my.refused").weaving()).isEqualTo(Weaving.FAILED);
    assertThat(stage(weaving, "my.refused").detail()).contains("none of yours");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void stageOnAnInterfaceMethodReportsFailedClasses() throws Exception {
    rejectsCustom = true;
    loaded = StandInReaders.FileReader.class;
    var weaving = begun(CustomStages.of(Map.of("my.read", READ), null));
    assertThat(stage(weaving, "my.read").weaving()).isEqualTo(Weaving.FAILED);
    assertThat(stage(weaving, "my.read").detail())
        .startsWith(StandInReaders.FileReader.class.getName())
        .contains("none of yours");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void aClassThatCannotBeLookedIntoFailsAndNoOther() throws Exception {
    loaded = StandInReaders.FileReader.class;
    alsoLoaded =
        new CountingLoader(
                name -> {
                  throw new Error("of its class loader");
                })
            .define(StandInReaders.FileReader.class);
    var weaving = begun(CustomStages.of(Map.of("my.read", READ), null));
    assertThat(stage(weaving, "my.read").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(stage(weaving, "my.read").detail())
        .contains("FileReader.read; but ", "cannot be searched", "of its class loader");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void aClassFileIsReadOnceAndNotAtEachSearch() throws Exception {
    var asked = new CopyOnWriteArrayList<String>();
    // Above it is what declares the method, but itself has none.
    alsoLoaded = new CountingLoader(asked::add).define(StandInReaders.PatientReader.class);
    loaded = String.class;
    var weaving = begun(CustomStages.of(Map.of("my.read", READ, "my.too", READ), null));
    await().atMost(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).until(() -> !asked.isEmpty());

    loaded = StandInReaders.FileReader.class;
    transformer.transform(getClass().getClassLoader(), "a/B", null, null, new byte[0]);
    await()
        .atMost(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .until(() -> stage(weaving, "my.read").weaving() == Weaving.WOVEN);
    assertThat(asked).filteredOn(file -> file.contains("PatientReader")).hasSize(1);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void whatIsLoadedByNowIsWovenBeforeThePauseBetweenSearchesIsOver() throws Exception {
    // The next look by itself is a minute away.
    searchMillis = 3_000;
    var weaving = begun(CustomStages.of(Map.of("my.read", READ), null));
    searchMillis = 0;
    assertThat(stage(weaving, "my.read").weaving()).isEqualTo(Weaving.NOT_FOUND);
    announce(StandInReaders.FileReader.class);
    alsoLoaded = StandInReaders.FileReader.class;
    assertThat(weaving.weaveLoaded(TIMEOUT_MILLIS / 2)).isTrue();
    assertThat(stage(weaving, "my.read").weaving()).isEqualTo(Weaving.WOVEN);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
    assertThat(weaving.weaveLoaded(TIMEOUT_MILLIS)).as("nothing more is woven").isFalse();
  }

  @Test
  void aClassThatWasAnnouncedAndNotYetDefinedIsSearchedForAgain() throws Exception {
    var weaving = begun(CustomStages.of(Map.of("my.read", READ), null));
    announce(StandInReaders.FileReader.class);
    assertThat(weaving.weaveLoaded(TIMEOUT_MILLIS)).isTrue();
    alsoLoaded = StandInReaders.FileReader.class;
    await()
        .atMost(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .until(() -> stage(weaving, "my.read").weaving() == Weaving.WOVEN);
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  @Test
  void aTypeThatFedoraLacksIsNamedAsTheReasonWhyAStageHasNoPlace() throws Exception {
    String typo = READ.replace("(..)", "(org.fcrepo.server.Typo)");
    var weaving = begun(CustomStages.of(Map.of("my.typo", typo, "my.other", READ), null));
    assertThat(stage(weaving, "my.other").weaving()).isEqualTo(Weaving.NOT_FOUND);
    assertThat(stage(weaving, "my.typo").weaving()).isEqualTo(Weaving.FAILED);
    assertThat(stage(weaving, "my.typo").detail()).contains("no type org.fcrepo.server.Typo,");
    assertThat(weaving.end(TIMEOUT_MILLIS)).isEmpty();
  }

  /** As the JVM does on the thread that loads the class, before it defines it. */
  private void announce(Class<?> type) throws Exception {
    transformer.transform(
        type.getClassLoader(), type.getName().replace('.', '/'), null, null, bytecodeOf(type));
  }

  @Test
  void boundsTheReasonsOfAStage() throws Exception {
    var weaving = begun();
    for (int deployment = 0; deployment < 10_000; deployment++) {
      weaving.report().failed(TypeFacts.of(DefaultManagement.class), "loader " + deployment);
    }
    assertThat(stage(weaving, "content.upload").detail())
        .contains("loader 0")
        .hasSizeLessThan(4096);
    weaving.end(TIMEOUT_MILLIS);
  }

  @Test
  void countsReportedStages() throws Exception {
    rejected = Set.of(DOTranslatorImpl.class);
    var weaving =
        begun(CustomStages.of(Map.of("my.read", READ, "no pointcut", "execution("), null));
    List<Stage> told = new ArrayList<>(weaving.report().stages());
    told.addAll(weaving.report().captures());
    assertThat(told).extracting(Stage::name).contains("my.read", "no pointcut");
    assertThat(weaving.report().plannedCount()).isEqualTo(told.size());
    assertThat(told)
        .filteredOn(stage -> stage.weaving() == Weaving.WOVEN)
        .hasSize(weaving.report().wovenCount())
        .hasSizeBetween(1, told.size() - 2);
    weaving.end(TIMEOUT_MILLIS);
  }

  private org.fedometer.agent.core.weave.Weaving begun() throws Exception {
    return begun(CustomStages.none());
  }

  private org.fedometer.agent.core.weave.Weaving begun(CustomStages own) throws Exception {
    var weaving =
        new org.fedometer.agent.core.weave.Weaving(
            instrumentation(), WeavingPlan.load(own), new AgentLog());
    assertThat(weaving.begin(TIMEOUT_MILLIS)).isTrue();
    return weaving;
  }

  private static Stage stage(org.fedometer.agent.core.weave.Weaving weaving, String name) {
    return weaving.report().stages().stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Instrumentation instrumentation() {
    return StandInInstrumentation.of(
        added -> transformer = added, this::allLoaded, this::retransform);
  }

  private Class<?>[] allLoaded() {
    long overNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(searchMillis);
    while (System.nanoTime() - overNanos < 0) {
      LockSupport.parkNanos(overNanos - System.nanoTime());
    }
    List<Class<?>> all = new ArrayList<>(many);
    all.add(String.class);
    all.add(alsoLoaded);
    all.add(loaded);
    all.add(getClass());
    return all.toArray(new Class<?>[0]);
  }

  private void retransform(Class<?>[] batch) throws Exception {
    for (Class<?> type : batch) {
      if (rejected.contains(type)) {
        throw new UnsupportedOperationException("not these");
      }
    }
    batches.add(List.of(batch));
    for (Class<?> type : batch) {
      String name = type.getName().replace('.', '/');
      if (transformer != null && !many.contains(type)) {
        byte[] woven =
            transformer.transform(type.getClassLoader(), name, type, null, bytecodeOf(type));
        if (rejectsCustom
            && woven != null
            && new String(woven, StandardCharsets.ISO_8859_1).contains("CustomStage_")) {
          throw new UnsupportedOperationException("none of yours");
        }
      }
    }
    if (transformer != null && outOfMemory.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("no memory for woven bytecode");
    }
  }

  /** Defines one class and reports each request for a class file. */
  private static final class CountingLoader extends ClassLoader {
    private final Consumer<String> requests;

    CountingLoader(Consumer<String> questions) {
      super(WeavingTest.class.getClassLoader());
      this.requests = questions;
    }

    Class<?> define(Class<?> type) throws IOException {
      byte[] bytecode = bytecodeOf(type);
      return defineClass(type.getName(), bytecode, 0, bytecode.length);
    }

    @Override
    public URL getResource(String name) {
      requests.accept(name);
      return super.getResource(name);
    }
  }

  private static byte[] bytecodeOf(Class<?> type) throws IOException {
    try (var in =
        WeavingTest.class.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }

  /** Defines one class and delays requests for others until released. */
  private static final class SlowLoader extends ClassLoader {
    private final CountDownLatch released;

    SlowLoader(CountDownLatch mayAnswer) {
      super(WeavingTest.class.getClassLoader());
      this.released = mayAnswer;
    }

    Class<?> define(Class<?> type) throws IOException {
      byte[] bytecode = bytecodeOf(type);
      return defineClass(type.getName(), bytecode, 0, bytecode.length);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.fcrepo.")) {
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
      return super.loadClass(name, resolve);
    }
  }
}
