package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractList;
import java.util.List;
import org.fcrepo.server.management.DefaultManagement;
import org.fcrepo.server.storage.StandInReaders;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused with which words, and which classes the sieve lets through. */
class OwnPointcutTest {

  private static final String SELF = StandInReaders.class.getName();

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
        "execution(* org.fcrepo.server.A.b(..)) && this(org.fcrepo.server.B)",
        "call(* java.sql.Connection.commit()) && withincode(* org.fcrepo.server.A.b(..))",
      })
  void takesWhatCanBeAStage(String text) {
    OwnPointcut.parse(text);
    OwnStageTrial.run(new OwnStage("my.stage", text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'';it has no pointcut",
        "execution(* a.B.c(;at character 18",
        "execution(* a.B.c(..)) nonsense;at character 24",
        "executon(* a.B.c(..));no pointcut",
        "execution(* a.B.c(..)) && if();leave it out",
        "execution(* a.B.c(..)) && cflow(execution(* a.B.d(..)));use withincode",
        "execution(* a.B.c(..)) && other();write that one here",
        "execution(* a.B.c(..)) && args(x);binds 'x'",
        "execution(* a.B.c(..)) && this(o);binds 'o'",
        "set(* a.B.c);neither an execution nor a call",
        "get(* a.B.c) && within(a.B);neither an execution nor a call",
        "staticinitialization(a.B);neither an execution nor a call",
        "initialization(a.B.new(..));neither an execution nor a call",
        "handler(a.B) && within(a.C);cannot be woven into a loaded class",
        "execution(* a.B.c(..)) && @args(a.D);cannot be woven into a loaded class",
        "execution(* *(..));every class",
        "execution(* c(..));every class",
        "call(* java.io.File.delete());&& within(",
        "!within(a.B);every class",
        "execution(* a.B.c(..)) || call(* d(..));every class",
        "within(a.B);not what is timed",
        "execution(* java.io.File.delete());time calls of it",
        "execution(* org.fedometer.aspects.recorder.Recorder.enter(..));left alone",
      })
  void refusesWhatCannotWithTheReasonAndTheWayOut(String text, String reason) {
    assertThatThrownBy(() -> OwnPointcut.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void namesTheTypesThatItNamesInFull() {
    assertThat(
            OwnPointcut.parse(
                    "execution(* a.b.C.d(..)) || call(* x.Y.z()) && within(a.b.C.D)"
                        + " || execution(* a..E.f(..))")
                .exactTypes())
        .containsExactly("a.b.C", "a.b.C$D");
  }

  @Test
  void letsThroughWhatDeclaresTheMethodAndWhatOverridesIt() {
    OwnPointcut read = OwnPointcut.parse("execution(* " + SELF + ".Reader.read(..))");
    assertThat(read.mayMatch(StandInReaders.FileReader.class)).isTrue();
    assertThat(read.mayMatch(StandInReaders.Reader.class)).isTrue();
    assertThat(read.mayMatch(StandInReaders.PatientReader.class))
        .as("has no read of its own")
        .isFalse();
    assertThat(read.mayMatch(DefaultManagement.class)).isFalse();
    OwnPointcut any = OwnPointcut.parse("execution(* " + SELF + ".Reader+.*(..))");
    assertThat(any.mayMatch(StandInReaders.PatientReader.class)).isTrue();
  }

  @Test
  void letsThroughClassesOfAPackageByTheNamesOfTheirMethods() {
    OwnPointcut pattern = OwnPointcut.parse("execution(* org.fcrepo.server..*.des*(..))");
    assertThat(pattern.mayMatch(DOTranslatorImpl.class)).isTrue();
    assertThat(pattern.mayMatch(DefaultManagement.class)).isFalse();
    OwnPointcut others =
        OwnPointcut.parse(
            "execution(* org.fcrepo.server..*(..)) && !within(org.fcrepo.server.storage..*)");
    assertThat(others.mayMatch(DefaultManagement.class)).isTrue();
    assertThat(others.mayMatch(DOTranslatorImpl.class)).isFalse();
  }

  @Test
  void whatIsWithinATypeIsWithinThoseAroundIt() {
    OwnPointcut within = OwnPointcut.parse("call(* *.get()) && within(" + SELF + ".FileReader)");
    assertThat(within.mayMatch(StandInReaders.FileReader.class)).isTrue();
    assertThat(within.mayMatch(new StandInReaders.FileReader() {}.getClass())).isFalse();
    Class<?> inner = inside(StandInReaders.FileReader.class);
    assertThat(within.mayMatch(inner)).isTrue();
    OwnPointcut below = OwnPointcut.parse("call(* *.get()) && within(" + SELF + ".Reader+)");
    assertThat(below.mayMatch(inner)).isTrue();
    assertThat(below.mayMatch(StandInReaders.PatientReader.class)).isTrue();
    assertThat(below.mayMatch(OwnPointcutTest.class)).isFalse();
  }

  @Test
  void neverLooksIntoTheJdkAspectjOrFedometer() {
    assertThat(
            List.of(
                String.class,
                java.sql.Connection.class,
                AbstractList.class,
                org.fedometer.aspects.TimedStage.class,
                org.aspectj.weaver.World.class,
                int[].class))
        .noneMatch(OwnPlaces::canHaveStages);
    assertThat(OwnPlaces.canHaveStages(DefaultManagement.class)).isTrue();
  }

  private static Class<?> inside(Class<?> type) {
    try {
      return Class.forName(type.getName() + "$1");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
