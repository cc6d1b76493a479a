package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.fcrepo.server.management.DefaultManagement;
import org.fcrepo.server.storage.StandInReaders;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.fedometer.aspects.TimedStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the messages of rejections, and the classes that the filter passes. */
class CustomPointcutTest {

  private static final String SELF = StandInReaders.class.getName();
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "execution(* org.fcrepo.server.storage.DOManager.getReader(..))",
        "execution(public String org.fcrepo..*.get*(String, ..)) && !within(org.fcrepo.test..*)",
        "call(* java.io.File.delete()) && within(org.fcrepo.server.storage.DefaultDOManager)",
        "execution(org.fcrepo.server.Parameter.new(..))",
        "execution(* *(..)) && within(org.fcrepo.server.rest..*)",
        "execution(* org.fcrepo.server.Module+.initModule())",
        "execution(@javax.ws.rs.GET * org.fcrepo.server.rest..*(..))",
        "@annotation(javax.ws.rs.GET) && execution(* org.fcrepo.server.rest..*(..))",
        "execution(* org.fcrepo.server.A.b(..)) || execution(* org.fcrepo.server.C.d(..))",
        "execution(* org.fcrepo.server.A.b(..)) && args(String, ..)",
        "execution(void org.fcrepo.server.A.b(int, byte[], Thread.State, *, ..) throws Exception)",
        "execution(String[] org.fcrepo.server.A.b(java.util.List<?>))",
        "execution(* org.fcrepo.server.A.b(..)) && this(org.fcrepo.server.B)",
        "call(* java.sql.Connection.commit()) && withincode(* org.fcrepo.server.A.b(..))",
      })
  void acceptsPossibleStages(String text) {
    assertThatCode(
            () -> {
              CustomPointcut.parse(text);
              CustomStageTrial.run(new CustomStage("my.stage", text));
            })
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'';it has no pointcut",
        "execution(* a.B.c(;at character 18",
        "execution(* a.B.c(..)) nonsense;at character 24",
        "executon(* a.B.c(..));not a pointcut",
        "execution(* a.B.c(..)) && if();remove it",
        "execution(* a.B.c(..)) && cflow(execution(* a.B.d(..)));use withincode",
        "execution(* a.B.c(..)) && other();write that pointcut here",
        "execution(* a.B.c(..)) && args(x);binds 'x'",
        "execution(* a.B.c(..)) && this(o);binds 'o'",
        "set(* a.B.c);neither an execution nor a call",
        "get(* a.B.c) && within(a.B);neither an execution nor a call",
        "staticinitialization(a.B);neither an execution nor a call",
        "initialization(a.B.new(..));neither an execution nor a call",
        "handler(a.B) && within(a.C);cannot be woven into a loaded class",
        "execution(* a.B.c(..)) && @args(a.D);cannot be woven into a loaded class",
        "execution(* *(..));every class",
        "execution(* a.B.c(String, Context));at character 27 has no package",
        "execution(Context[] a.B.c(..));has no package",
        "execution(* a.B.c(..) throws ServerException);has no package",
        "execution(* a.B.c(java.util.List<Context>));has no package",
        "execution(* a.B.c(..)) && args(Context, ..);has no package",
        "execution(* a.B.c(..)) && !this(DOManager+);has no package",
        "execution(* a.B.c(..)) && target(DOManager || a.B);has no package",
        "execution(* DOManager.c(..));has no package",
        "call(* a.B.c(Map.Entry)) && within(a.C);has no package",
        "execution(@GET * a.B.c(..));has no package",
        "execution(* c(..));every class",
        "call(* java.io.File.delete());&& within(",
        "!within(a.B);every class",
        "execution(* a.B.c(..)) || call(* d(..));every class",
        "within(a.B);not the timed method",
        "execution(* java.io.File.delete());time calls of it",
        "execution(* org.fedometer.aspects.recorder.Recorder.enter(..));never woven",
      })
  void rejectsOthersWithReasonAndAlternative(String text, String reason) {
    assertThatThrownBy(() -> CustomPointcut.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void namesTheTypesThatItNamesInFull() {
    assertThat(
            CustomPointcut.parse(
                    "execution(* a.b.C.d(..)) || call(* x.Y.z()) && within(a.b.C.D)"
                        + " || execution(* a..E.f(..))")
                .exactTypes())
        .containsExactly("a.b.C", "a.b.C$D");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "execution(* a.B.c(a.Typo));a.Typo",
        "execution(a.Typo[] a.B.c(..));a.Typo",
        "execution(* a.B.c(..) throws a.Typo);a.Typo",
        "execution(@a.Typo * a.B.c(..));a.Typo",
        "execution(* a.B.c(..)) && args(a.Typo, ..);a.Typo",
        "execution(* a.B.c(..)) && target(a.B.Typo);a.B$Typo",
        "execution(* a.B.c(..)) && within(a.Typo);a.Typo",
        "execution(* a.B.c(..)) && @annotation(a.Typo);a.Typo",
        "execution(* a.B.c(..)) && @within(a.Typo);a.Typo",
        "call(* *.c(..)) && within(a.B) && @withincode(a.Typo);a.Typo",
        "execution(* a.B.c(..)) && @annotation(a.B);''",
        "call(* a.Typo.c(..)) && within(a.B);a.Typo",
        "call(* *.c(..)) && withincode(* a.Typo.c());a.Typo",
        "execution(* a.Typo.c(..)) || execution(* a.Typo.d(..));a.Typo",
        "execution(* a.Typo.c(..)) || execution(* a.B.d(..));''",
        "execution(* a.B.c(a.Typo || a.B));''",
        "execution(* a.B.c(..)) && !args(a.Typo);''",
        "execution(* a.B.c(a.T*, int, String));''",
      })
  void knowsWhichTypesThatItNeedsAreNotThere(String text, String missing) {
    assertThat(CustomPointcut.parse(text).missingTypes("a.B"::equals))
        .containsExactlyElementsOf(missing.isEmpty() ? List.of() : List.of(missing));
  }

  @Test
  void aTypeIsKnownIfTheLoaderOfAClassOfFedorasHasIt() {
    KnownTypes known = new KnownTypes(DefaultManagement.class);
    assertThat(known)
        .accepts(
            SELF,
            SELF + "$FileReader",
            SELF + ".FileReader",
            "java.util.Map$Entry",
            "java.sql.Connection")
        .rejects(SELF + "$Typo", "org.fcrepo.server.Typo", "java.util.Lst");
  }

  @Test
  void unresponsiveLoaderLeavesATypeUnknown() throws Exception {
    KnownTypes known =
        new KnownTypes(
            DefaultManagement.class, new SilentLoader().define(StandInReaders.FileReader.class));

    assertThat(known).accepts("org.fcrepo.server.Typo", "java.sql.Connection");
    assertThat(known.found()).containsExactly("java.sql.Connection");
  }

  /** As that of a web application that was stopped. */
  private static final class SilentLoader extends ClassLoader {
    SilentLoader() {
      super(CustomPointcutTest.class.getClassLoader());
    }

    Class<?> define(Class<?> type) throws IOException {
      String file = type.getName().replace('.', '/') + ".class";
      try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(type.getName(), bytes, 0, bytes.length);
      }
    }

    @Override
    public URL getResource(String name) {
      throw new IllegalStateException("stopped");
    }
  }

  @Test
  void letsThroughWhatDeclaresTheMethodAndWhatOverridesIt() {
    CustomPointcut read = CustomPointcut.parse("execution(* " + SELF + ".Reader.read(..))");
    assertThat(mayMatch(read, StandInReaders.FileReader.class)).isTrue();
    assertThat(mayMatch(read, StandInReaders.Reader.class)).isTrue();
    assertThat(mayMatch(read, StandInReaders.PatientReader.class))
        .as("has no read of its own")
        .isFalse();
    assertThat(mayMatch(read, DefaultManagement.class)).isFalse();
    CustomPointcut any = CustomPointcut.parse("execution(* " + SELF + ".Reader+.*(..))");
    assertThat(mayMatch(any, StandInReaders.PatientReader.class)).isTrue();
  }

  @Test
  void letsThroughClassesOfAPackageByTheNamesOfTheirMethods() {
    CustomPointcut pattern = CustomPointcut.parse("execution(* org.fcrepo.server..*.des*(..))");
    assertThat(mayMatch(pattern, DOTranslatorImpl.class)).isTrue();
    assertThat(mayMatch(pattern, DefaultManagement.class)).isFalse();
    CustomPointcut others =
        CustomPointcut.parse(
            "execution(* org.fcrepo.server..*(..)) && !within(org.fcrepo.server.storage..*)");
    assertThat(mayMatch(others, DefaultManagement.class)).isTrue();
    assertThat(mayMatch(others, DOTranslatorImpl.class)).isFalse();
  }

  @Test
  void letsThroughClassesThatCallAMethodOfTheName() {
    CustomPointcut get =
        CustomPointcut.parse("call(* java.util.*.*.ge*(..)) && within(org.fcrepo..*)");
    assertThat(mayMatch(get, StandInReaders.FileReader.class)).isTrue();
    assertThat(mayMatch(get, StandInReaders.PatientReader.class)).isFalse();
  }

  @Test
  void whatIsWithinATypeIsWithinThoseAroundIt() {
    CustomPointcut within =
        CustomPointcut.parse("call(* *.*(..)) && within(" + SELF + ".FileReader)");
    assertThat(mayMatch(within, StandInReaders.FileReader.class)).isTrue();
    assertThat(mayMatch(within, new StandInReaders.FileReader() {}.getClass())).isFalse();
    Class<?> inner = inside(StandInReaders.FileReader.class);
    assertThat(mayMatch(within, inner)).isTrue();
    CustomPointcut below = CustomPointcut.parse("call(* *.*(..)) && within(" + SELF + ".Reader+)");
    assertThat(mayMatch(below, inner)).isTrue();
    assertThat(mayMatch(below, StandInReaders.PatientReader.class)).isTrue();
    assertThat(mayMatch(below, CustomPointcutTest.class)).isFalse();
  }

  @Test
  void doesNotLoadWhatAClassIsWithin() throws Exception {
    CustomPointcut below = CustomPointcut.parse("call(* *.*(..)) && within(" + SELF + ".Reader+)");
    String name = StandInReaders.FileReader.class.getName() + "$1";
    List<String> asked = new ArrayList<>();
    Class<?> alone =
        new ClassLoader(getClass().getClassLoader()) {
          Class<?> define() throws IOException {
            byte[] bytecode = bytecode(name);
            return defineClass(name, bytecode, 0, bytecode.length);
          }

          @Override
          protected Class<?> loadClass(String wanted, boolean resolve)
              throws ClassNotFoundException {
            asked.add(wanted);
            return super.loadClass(wanted, resolve);
          }
        }.define();
    assertThat(mayMatch(below, alone)).isFalse();
    assertThat(asked).doesNotContain(StandInReaders.FileReader.class.getName());
  }

  @Test
  void keepsNoJarOpenWhenItHasReadAClassFile() throws Exception {
    boolean listed = Files.isDirectory(OPEN_FILES);
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeTrue(listed, "SKIPPED: only Linux lists open files in " + OPEN_FILES);
    }
    assertThat(listed).as("Linux lists open files in %s", OPEN_FILES).isTrue();
    String name = StandInReaders.FileReader.class.getName();
    String path = name.replace('.', '/') + ".class";
    Path jar = folder.resolve("a webapp's.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry(path));
      out.write(bytecode(name));
    }
    Class<?> type =
        new ClassLoader(getClass().getClassLoader()) {
          Class<?> define() throws IOException {
            byte[] bytecode = bytecode(name);
            return defineClass(name, bytecode, 0, bytecode.length);
          }

          @Override
          public URL getResource(String resource) {
            try {
              return new URL("jar:" + jar.toUri() + "!/" + resource);
            } catch (MalformedURLException e) {
              throw new IllegalStateException(e);
            }
          }
        }.define();
    try (LoadedTypes loaded = new LoadedTypes(type)) {
      TypeFacts facts = loaded.factsOf(type);
      assertThat(CustomPointcut.parse("execution(* " + name + ".read(..))").mayMatch(facts))
          .isTrue();
      assertThat(CustomPointcut.parse("execution(* " + name + ".no(..))").mayMatch(facts))
          .isFalse();
      assertThat(facts.isRead()).isTrue();
    }
    try (Stream<Path> open = Files.list(OPEN_FILES)) {
      assertThat(open.map(CustomPointcutTest::target)).doesNotContain(jar.toRealPath().toString());
    }
  }

  @Test
  void neverLooksIntoTheJdkAspectjOrFedometer() {
    assertThat(
            List.of(
                String.class,
                Connection.class,
                AbstractList.class,
                TimedStage.class,
                org.aspectj.weaver.World.class,
                int[].class))
        .noneMatch(CustomStageScope::canHaveStages);
    assertThat(CustomStageScope.canHaveStages(DefaultManagement.class)).isTrue();
  }

  private static boolean mayMatch(CustomPointcut pointcut, Class<?> type) {
    try (LoadedTypes loaded = new LoadedTypes(type, StandInReaders.FileReader.class)) {
      return pointcut.mayMatch(loaded.factsOf(type));
    }
  }

  private static byte[] bytecode(String className) throws IOException {
    String path = "/" + className.replace('.', '/') + ".class";
    try (InputStream in = CustomPointcutTest.class.getResourceAsStream(path)) {
      return in.readAllBytes();
    }
  }

  /** Returns the target of a link, which may be gone. */
  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException gone) {
      return "";
    }
  }

  private static Class<?> inside(Class<?> type) {
    try {
      return Class.forName(type.getName() + "$1");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
