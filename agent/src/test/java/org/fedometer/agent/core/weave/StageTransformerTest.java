package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;

import aj.org.objectweb.asm.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardWrapperValve;
import org.fcrepo.server.management.DefaultManagement;
import org.fcrepo.server.storage.StandInReaders;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.fcrepo.server.utilities.SQLUtilityImpl;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.wire.session.AgentReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StageTransformerTest {

  private final List<String> arrivals = new ArrayList<>();
  private WeavingReport report;
  private StageTransformer transformer;

  @BeforeEach
  void plan() throws Exception {
    WeavingPlan plan = WeavingPlan.load(CustomStages.none());
    report = new WeavingReport(plan, new AgentLog());
    transformer =
        new StageTransformer(
            plan,
            report,
            new StageTransformer.ClassLoadListener() {
              @Override
              public void classLoading(ClassLoader loader, String className) {
                arrivals.add(className);
              }

              @Override
              public void otherClassLoading() {
                arrivals.add("?");
              }
            });
  }

  @Test
  void weavesOnlyWhatItPlans() throws Exception {
    assertThat(transform(DefaultManagement.class)).isNotNull();
    assertThat(transform(getClass())).isNull();
    assertThat(
            scanOf(DefaultManagement.class).placesOf("org.fedometer.aspects.IngestStages$Ingest"))
        .containsExactly("org.fcrepo.server.management.DefaultManagement.ingest");
    assertThat(transformer.removeAttemptOrNull(getClass())).isNull();
    assertThat(report.summary()).doesNotContain("complaints");
  }

  @Test
  void onlyNotesTheComingOfAClassThatIsBeingLoaded() throws Exception {
    String name = DefaultManagement.class.getName();
    assertThat(
            transformer.transform(
                getClass().getClassLoader(), name.replace('.', '/'), null, null, new byte[] {1}))
        .isNull();
    assertThat(arrivals).containsExactly(name);
  }

  @Test
  void weavesCallsOfDriversInFedorasClassesNotTheDrivers() throws Exception {
    assertThat(transform(SQLUtilityImpl.class)).isNotNull();
    assertThat(scanOf(SQLUtilityImpl.class).placesOf("org.fedometer.aspects.DatabaseStages$Insert"))
        .containsExactly("org.fcrepo.server.utilities.SQLUtilityImpl.i_addRow");
  }

  /** The JVM rejects a retransformation that adds or removes members. */
  @Test
  void addsNoMembersToAClass() throws Exception {
    for (Class<?> type :
        List.of(
            StandardWrapperValve.class,
            DefaultManagement.class,
            DOTranslatorImpl.class,
            SQLUtilityImpl.class)) {
      byte[] woven = transform(type);
      Class<?> defined = new Woven(Map.of(type.getName(), woven)).loadClass(type.getName());
      assertThat(defined.getClassLoader()).isInstanceOf(Woven.class);
      assertThat(members(defined)).isEqualTo(members(type));
    }
  }

  @Test
  void leavesAClassAsItIsWhenItsLoaderCannotSeeTheAspects() throws Exception {
    Class<?> type = DefaultManagement.class;
    ClassLoader blind = new ClassLoader(ClassLoader.getPlatformClassLoader()) {};
    assertThat(transformer.transform(blind, internalName(type), type, null, bytecode(type)))
        .isNull();
    assertThat(stage("ingest").weaving()).isEqualTo(AgentReport.Weaving.FAILED);
    assertThat(stage("ingest").detail()).contains("hides the aspects");
  }

  @Test
  void weavesTheSameAgainAfterItsWeaversWereLetGo() throws Exception {
    byte[] before = transform(DefaultManagement.class);
    transformer.forgetWeavers();
    assertThat(transform(DefaultManagement.class)).isEqualTo(before);
  }

  @Test
  void leavesAClassAsItIsWhenItsBytesAreBroken() {
    Class<?> type = DefaultManagement.class;
    assertThat(
            transformer.transform(
                getClass().getClassLoader(), internalName(type), type, null, new byte[] {1, 2, 3}))
        .isNull();
    assertThat(transformer.failureOrNull(type)).startsWith("the weaver fails: ");
  }

  @Test
  void weaverThatAbandonsAClassReportsAFailure() throws Exception {
    Class<?> type = DefaultManagement.class;
    assertThat(
            transformer.transform(
                type.getClassLoader(),
                internalName(type),
                type,
                null,
                withUnknownBytecodes(bytecode(type))))
        .isNull();
    assertThat(transformer.failureOrNull(type)).contains("cannot weave the class");
    assertThat(transformer.removeAttemptOrNull(type).complaints()).isEmpty();

    assertThat(transform(type)).isNotNull();
    assertThat(transformer.failureOrNull(type)).as("of the last attempt").isNull();
    assertThat(report.summary()).doesNotContain("complaints");
  }

  @Test
  void findsOnlyCustomStagesWithAPlaceInAClass() throws Exception {
    Class<?> type = StandInReaders.FileReader.class;
    WeavingPlan plan =
        WeavingPlan.load(
            CustomStages.of(
                Map.of(
                    "my.get",
                    "call(* java.util.function.Supplier.get()) && within(org.fcrepo..*)",
                    "my.wide",
                    "call(* java.util.Map.get(..)) && within(org.fcrepo..*)"),
                null));
    StageTransformer own = new StageTransformer(plan, report, null);
    try (LoadedTypes loaded = new LoadedTypes(type)) {
      assertThat(own.customAspectsInOrNull(type, loaded.factsOf(type)))
          .containsExactly(CustomAspect.className("my.get"));
    }
    assertThat(own.customAspectsInOrNull(type, TypeFacts.of(type))).isNull();
    assertThat(report.summary()).doesNotContain("complaints");
  }

  @Test
  void leavesAClassAloneThatTheJvmRefused() throws Exception {
    transformer.exclude(DefaultManagement.class);
    assertThat(transform(DefaultManagement.class)).isNull();
    assertThat(transform(DOTranslatorImpl.class)).isNotNull();
  }

  @Test
  void wovenCodeRunsAsBeforeWithoutARecording() throws Exception {
    Class<?> type = DOTranslatorImpl.class;
    Object translator =
        new Woven(Map.of(type.getName(), transform(type)))
            .loadClass(type.getName())
            .getConstructor()
            .newInstance();
    assertThat(Recorder.isOn()).isFalse();
    translator.getClass().getMethod("deserialize", String.class).invoke(translator, "text");
  }

  private AgentReport.Stage stage(String name) {
    return report.stages().stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private AdviceScan scanOf(Class<?> type) {
    return transformer.removeAttemptOrNull(type).scan();
  }

  private byte[] transform(Class<?> type) throws IOException {
    return transformer.transform(
        type.getClassLoader(), internalName(type), type, null, bytecode(type));
  }

  private static byte[] bytecode(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream("/" + internalName(type) + ".class")) {
      return in.readAllBytes();
    }
  }

  /** As a JVM rewrites it when it links the class: with bytecodes that no class file has. */
  private static byte[] withUnknownBytecodes(byte[] bytecode) {
    byte[] broken = bytecode.clone();
    for (int at = 2; at < broken.length; at++) {
      if (broken[at - 2] == Opcodes.ALOAD && (broken[at] & 0xff) == Opcodes.ARETURN) {
        broken[at - 2] = (byte) 0xE4;
      }
    }
    return broken;
  }

  private static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static List<String> members(Class<?> type) {
    return Stream.of(
            type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
        .flatMap(Arrays::stream)
        .map(member -> ((Member) member).toString())
        .sorted()
        .toList();
  }

  /** Defines the given classes itself and delegates all others to the test's loader. */
  private static final class Woven extends ClassLoader {
    private final Map<String, byte[]> classes;

    Woven(Map<String, byte[]> classes) {
      super(StageTransformerTest.class.getClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      byte[] bytecode = classes.get(name);
      return bytecode == null
          ? super.loadClass(name, resolve)
          : defineClass(name, bytecode, 0, bytecode.length);
    }
  }
}
