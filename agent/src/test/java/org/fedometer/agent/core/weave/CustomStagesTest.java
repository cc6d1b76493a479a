package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fcrepo.server.storage.StandInReaders;
import org.fedometer.aspects.TimedStage;
import org.fedometer.aspects.recorder.Stages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomStagesTest {

  private static final String READ =
      "execution(* " + StandInReaders.class.getName() + ".Reader.read(..))";

  @TempDir Path folder;

  @Test
  void rejectsABadStageAndAcceptsTheOthers() {
    CustomStages own =
        CustomStages.of(Map.of("my.read", READ, "my.bad", "execution(* a.B.c("), null);
    assertThat(own.usable()).extracting(CustomStage::name).containsExactly("my.read");
    assertThat(own.rejections()).containsOnlyKeys("my.bad");
    assertThat(own.rejections().get("my.bad"))
        .startsWith("custom stage my.bad: 'execution(* a.B.c(' is not a pointcut")
        .contains("at character 18");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "My", "my..read", "my_read", "-my", "my.", "my read", "1my", "my--read"})
  void aNameThatIsNotDottedKebabCaseIsRefused(String name) {
    assertThat(CustomStages.of(Map.of(name, READ), null).rejections().get(name))
        .contains("'" + name + "' is not a stage name", "for example my.find-reader");
  }

  @Test
  void rejectsATooDeeplyNestedStageAndAcceptsTheOthers() {
    String deep = "(".repeat(100_000) + READ + ")".repeat(100_000);
    CustomStages own = CustomStages.of(Map.of("my.deep", deep, "my.read", READ), null);
    assertThat(own.rejections()).containsOnlyKeys("my.deep");
    assertThat(own.rejections().get("my.deep")).contains("nested too deep");
    assertThat(own.pointcuts()).containsOnlyKeys("my.read");
  }

  @Test
  void rejectsANameOfABuiltInStage() throws Exception {
    WeavingPlan plan = WeavingPlan.load(CustomStages.of(Map.of("ingest", READ), null));
    assertThat(plan.rejections().get("ingest")).contains("has the name of a Fedometer stage");
    assertThat(plan.isOpen()).isTrue();
  }

  @Test
  void createsTheClassOfAStageOnceWithoutAPointcut() throws Exception {
    WeavingPlan.load(CustomStages.of(Map.of("test.twice-made", READ), null));
    ClassLoader loader = TimedStage.class.getClassLoader();
    Class<?> first = loader.loadClass(CustomAspect.className("test.twice-made"));
    WeavingPlan.load(
        CustomStages.of(Map.of("test.twice-made", "execution(* org.fcrepo.A.b(..))"), null));
    assertThat(loader.loadClass(CustomAspect.className("test.twice-made"))).isSameAs(first);
    TimedStage aspect = (TimedStage) first.getMethod("aspectOf").invoke(null);
    assertThat(aspect.stageName()).isEqualTo("test.twice-made");
    assertThat(Stages.names()).containsOnlyOnce("test.twice-made");
  }

  @ParameterizedTest
  @CsvSource({
    "my.FindReader,my.find-reader",
    "FindReader,find-reader",
    "my.stages$FindReader,my.stages.find-reader",
    "my.XMLReader,my.xml-reader",
    "my.ReadXML,my.read-xml",
    "my.find2Readers,my.find2-readers"
  })
  void aStageIsCalledAsItsAspect(String aspect, String stage) {
    assertThat(AopFile.stageOf(aspect)).isEqualTo(stage);
  }

  @Test
  void anAopFileBringsItsConcreteAspects() throws Exception {
    Path file = aop(concrete("my.FindReader", TimedStage.class.getName(), "timed", READ));
    CustomStages own = CustomStages.of(Map.of(), file);
    assertThat(own.rejections()).isEmpty();
    assertThat(own.usable())
        .extracting(CustomStage::toString)
        .containsExactly("my.find-reader=" + READ);
    assertThat(
            CustomStages.of(Map.of("my.find-reader", READ), file)
                .rejections()
                .get("my.find-reader"))
        .contains("given twice");
  }

  @Test
  void anAopFileWithSomethingElseIsRefused() throws Exception {
    assertThat(rejection(aop("<concrete-aspect>"))).contains("is not an aop.xml");
    assertThat(rejection(aop(""))).contains("has no <concrete-aspect>");
    assertThat(rejection(aop("<aspect name=\"a.B\"/>")))
        .contains("only <concrete-aspect> is allowed");
    assertThat(rejection(folder)).contains("is not a file");
    assertThat(rejection(folder.resolve("nowhere.xml"))).contains("is not a file");
  }

  @Test
  void rejectsAnAopAspectThatIsNoStageAndAcceptsTheOthers() throws Exception {
    String timedStage = TimedStage.class.getName();
    Path file =
        aop(
            concrete("my.Broken", timedStage, "timed", "execution(a")
                + concrete("my.Other", "a.Other", "timed", READ)
                + concrete("my.Reader", timedStage, "timed", READ)
                + concrete("my.Unnamed", timedStage, "other", READ)
                + concrete("my.Reader", timedStage, "timed", READ)
                + concrete("my.Patient", timedStage, "timed", READ));
    CustomStages own = CustomStages.of(Map.of(), file);
    assertThat(own.pointcuts()).containsOnlyKeys("my.reader", "my.patient");
    assertThat(own.rejections())
        .containsOnlyKeys("my.broken", "my.other", "my.unnamed", "my.reader");
    assertThat(own.rejections().get("my.broken"))
        .contains("is not a pointcut: the weaver reports '");
    assertThat(own.rejections().get("my.other")).contains("extends a.Other", timedStage);
    assertThat(own.rejections().get("my.unnamed")).contains("<pointcut name=\"timed\"");
    assertThat(own.rejections().get("my.reader")).contains("given twice");
  }

  private static String rejection(Path aop) {
    return CustomStages.of(Map.of(), aop).rejections().get("aop");
  }

  private static String concrete(String name, String parent, String pointcut, String expression) {
    return "<concrete-aspect name=\"%s\" extends=\"%s\"><pointcut name=\"%s\" expression=\"%s\"/></concrete-aspect>"
        .formatted(name, parent, pointcut, expression);
  }

  private Path aop(String aspects) throws Exception {
    Path file = Files.createTempFile(folder, "aop", ".xml");
    return Files.writeString(file, "<aspectj><aspects>" + aspects + "</aspects></aspectj>");
  }
}
