package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardWrapperValve;
import org.fcrepo.server.management.DefaultManagement;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.fcrepo.server.utilities.SQLUtilityImpl;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.aspects.recorder.Recorder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StageTransformerTest {

  private StageTransformer transformer;

  @BeforeEach
  void plan() throws Exception {
    transformer = new StageTransformer(WeavingPlan.load(), new AgentLog());
  }

  @Test
  void weavesOnlyWhatItPlans() throws Exception {
    ClassLoader loader = getClass().getClassLoader();
    assertThat(transform(loader, DefaultManagement.class)).isNotNull();
    assertThat(transform(loader, getClass())).isNull();
    assertThat(transformer.report().summary())
        .startsWith("woven 1 of ")
        .doesNotContain("complaints");
    assertThat(transformer.report().takeNews())
        .containsExactly("woven: ingest in org.fcrepo.server.management.DefaultManagement.ingest");
  }

  @Test
  void weavesCallsOfDriversInFedorasClassesNotTheDrivers() throws Exception {
    assertThat(transform(getClass().getClassLoader(), SQLUtilityImpl.class)).isNotNull();
    assertThat(transformer.report().takeNews())
        .containsExactly("woven: database.statement in java.sql.PreparedStatement.executeUpdate");
  }

  /** The JVM refuses to retransform a loaded class when members come or go. */
  @Test
  void addsNoMembersToAClass() throws Exception {
    for (Class<?> type :
        List.of(
            StandardWrapperValve.class,
            DefaultManagement.class,
            DOTranslatorImpl.class,
            SQLUtilityImpl.class)) {
      byte[] woven = transform(getClass().getClassLoader(), type);
      Class<?> defined = new Woven(Map.of(type.getName(), woven)).loadClass(type.getName());
      assertThat(defined.getClassLoader()).isInstanceOf(Woven.class);
      assertThat(members(defined)).isEqualTo(members(type));
    }
  }

  @Test
  void leavesAClassAsItIsWhenItsLoaderCannotSeeTheAspects() throws Exception {
    ClassLoader blind = new ClassLoader(ClassLoader.getPlatformClassLoader()) {};
    assertThat(transform(blind, DefaultManagement.class)).isNull();
    assertThat(transformer.report().summary()).contains("1 complaints");
  }

  @Test
  void weavesAgainAfterItsWeaversWereIdleAndLetGo() throws Exception {
    ClassLoader loader = getClass().getClassLoader();
    byte[] before = transform(loader, DefaultManagement.class);
    transformer.forgetIdleWeavers(0);
    assertThat(transform(loader, DefaultManagement.class)).isEqualTo(before);
  }

  @Test
  void leavesAClassAsItIsWhenItsBytesAreBroken() {
    byte[] garbage = {1, 2, 3};
    assertThat(
            transformer.transform(
                getClass().getClassLoader(),
                internalName(DefaultManagement.class),
                null,
                null,
                garbage))
        .isNull();
  }

  @Test
  void wovenCodeRunsAsBeforeWhileNobodyRecords() throws Exception {
    Class<?> type = DOTranslatorImpl.class;
    byte[] woven = transform(getClass().getClassLoader(), type);
    Object translator =
        new Woven(Map.of(type.getName(), woven))
            .loadClass(type.getName())
            .getConstructor()
            .newInstance();
    assertThat(Recorder.isOn()).isFalse();
    translator.getClass().getMethod("deserialize", String.class).invoke(translator, "text");
  }

  private byte[] transform(ClassLoader loader, Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream("/" + internalName(type) + ".class")) {
      return transformer.transform(loader, internalName(type), null, null, in.readAllBytes());
    }
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

  /** Defines the given classes itself and takes all others from the test. */
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
