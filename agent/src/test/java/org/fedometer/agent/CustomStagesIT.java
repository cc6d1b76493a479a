package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.Stage;
import org.fedometer.wire.session.AgentReport.State;
import org.fedometer.wire.session.AgentReport.Weaving;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Stages of the user's, from the options of the agent's real jar to the collector. */
@Tag("slow")
@ExtendWith(AwaitilityTimeout.class)
class CustomStagesIT {

  /** Declared by an interface; whose class is loaded with the first reading. */
  private static final String READ =
      "execution(* org.fcrepo.server.storage.StandInReaders.Reader.read(String))";

  private static final String FILE_READER =
      "org.fcrepo.server.storage.StandInReaders$FileReader.read";

  @TempDir Path folder;
  private ScriptedCollector collector;

  @BeforeEach
  void collect() throws Exception {
    collector = new ScriptedCollector(0);
  }

  @AfterEach
  void end() throws Exception {
    collector.close();
  }

  @Test
  void areTimedFromTheStartAndABadOneDoesNotPreventIt() throws Exception {
    String options =
        "=collector="
            + collector.address()
            + ",stage.my.read="
            + READ
            + ",stage.my.bad=execution(* a.B.c(,stage.my.two="
            + "execution(* org.fcrepo.server.management..*.ingest(..\\, String))";
    try (AgentJvm fedora = AgentJvm.start(folder, options, Map.of())) {
      awaitSampleOf(fedora, "my.read");
      assertThat(fedora.err())
          .contains("custom stage my.bad: 'execution(* a.B.c(' is not a pointcut")
          .contains("the agent starts without it");
      fedora.send("ingest 1 5");
      await().until(() -> collector.samplesOf("ingest") == 6);
      await().until(() -> collector.samplesOf("my.two") == 6);
      AgentReport report = Tool.command(fedora.pid(), "status");
      assertThat(stage(report, "my.read").weaving()).isEqualTo(Weaving.WOVEN);
      assertThat(stage(report, "my.read").detail()).isEqualTo(FILE_READER);
      assertThat(stage(report, "my.bad").weaving()).isEqualTo(Weaving.FAILED);
      assertThat(stage(report, "my.bad").detail()).contains("at character");
      assertThat(stage(report, "ingest").weaving()).isEqualTo(Weaving.WOVEN);
    }
  }

  @Test
  void areWovenIntoAllLoadedClassesOnRequest() throws Exception {
    String options = "=collector=" + collector.address() + ",stage.my.read=" + READ;
    try (AgentJvm fedora = AgentJvm.start(folder, options, Map.of())) {
      fedora.send("read a:1");
      AgentReport report = Tool.command(fedora.pid(), "weave");
      assertThat(report.state()).isEqualTo(State.DONE);
      assertThat(report.message()).isEmpty();
      assertThat(stage(report, "my.read").weaving()).isEqualTo(Weaving.WOVEN);
      long before = collector.samplesOf("my.read");
      for (int reading = 1; reading <= 5; reading++) {
        fedora.send("read a:2");
      }
      await().until(() -> collector.samplesOf("my.read") >= before + 5);
      assertThat(collector.samplesOf("my.read")).isBetween(before + 5, before + 6);
    }
  }

  @Test
  void comeWithAnAttachAreReplacedByTheNextAndGoWithADetach() throws Exception {
    try (AgentJvm fedora = AgentJvm.start(folder, null, Map.of())) {
      fedora.send("read a:1");
      AgentReport report =
          attach(
              fedora,
              "stage.my.read=" + READ,
              "stage.my.none=" + READ.replace("read(", "none("),
              "stage.my.typo=" + READ.replace("(String)", "(org.fcrepo.server.Contxt)"));
      assertThat(report.message()).isEqualTo("attached");
      assertThat(stage(report, "my.read").detail()).isEqualTo(FILE_READER);
      assertThat(stage(report, "my.none").weaving()).isEqualTo(Weaving.NOT_FOUND);
      assertThat(stage(report, "my.typo").weaving()).isEqualTo(Weaving.FAILED);
      assertThat(stage(report, "my.typo").detail()).contains("no type org.fcrepo.server.Contxt,");
      fedora.send("read a:2");
      await().until(() -> collector.samplesOf("my.read") == 1);

      // The same name for another place, and another name.
      String parse = "execution(* org.fcrepo..*.deserialize(String))";
      report = attach(fedora, "stage.my.read=" + parse, "stage.my.other=" + READ);
      assertThat(report.state()).isEqualTo(State.DONE);
      assertThat(stage(report, "my.read").detail()).contains("DOTranslatorImpl.deserialize");
      assertThat(stage(report, "my.other").detail()).isEqualTo(FILE_READER);
      assertThat(report.stages()).extracting(Stage::name).doesNotContain("my.none");
      fedora.send("read a:3");
      await().until(() -> collector.samplesOf("my.other") == 1);
      assertThat(collector.samplesOf("my.read")).isEqualTo(1);
      fedora.send("ingest 1 1");
      await()
          .until(() -> collector.samplesOf("my.read") == 1 + collector.samplesOf("ingest.parse"));

      // Without them they are gone; all others stay.
      report = attach(fedora);
      assertThat(report.stages()).extracting(Stage::name).noneMatch(name -> name.startsWith("my."));
      fedora.send("read a:4");
      fedora.send("ingest 1 1");
      await().until(() -> collector.samplesOf("ingest") == 4);
      assertThat(collector.samplesOf("my.other")).isEqualTo(1);

      assertThat(Tool.command(fedora.pid(), "detach").message()).isEqualTo("detached");
      fedora.send("read a:5");
      assertThat(fedora.send("threads")).doesNotContain("fedometer");
      assertThat(fedora.err()).isEmpty();
    }
  }

  @Test
  void leaveNoAgentClassBehind() throws Exception {
    try (AgentJvm fedora = AgentJvm.start(folder, null, Map.of())) {
      for (int cycle = 1; cycle <= 5; cycle++) {
        attach(
            fedora,
            "stage.my.read=" + READ,
            "stage.my.cycle=execution(* org.fcrepo..*.x" + cycle + "(..))");
        long before = collector.samplesOf("my.read");
        awaitSampleOf(fedora, "my.read", before);
        assertThat(Tool.command(fedora.pid(), "detach").message()).isEqualTo("detached");
      }
      await()
          .untilAsserted(
              () ->
                  assertThat(histogram(fedora))
                      .doesNotContain("org.fedometer.agent.core", "org.aspectj.weaver."));
      // Two names, two small classes, each with one object.
      assertThat(histogram(fedora)).contains("CustomStage_my__read", "CustomStage_my__cycle");
    }
  }

  @Test
  void areWovenIntoANewDeploymentWhichIsCollectedAfterwards() throws Exception {
    try (AgentJvm fedora = AgentJvm.start(folder, null, Map.of())) {
      attach(fedora, "stage.my.parse=execution(* org.fcrepo..*.deserialize(..))");
      fedora.send("deploy");
      long before = collector.samplesOf("my.parse");
      await()
          .until(
              () -> {
                fedora.send("translate");
                return collector.samplesOf("my.parse") > before;
              });
      fedora.send("undeploy");
      await().until(() -> fedora.send("collected").equals("1 of 1"));
    }
  }

  @Test
  void comeFromAnAopFileWithoutItsBadOnes() throws Exception {
    Path file = folder.resolve("own, stages.xml");
    Files.writeString(
        file,
        """
        <!DOCTYPE aspectj PUBLIC "-//AspectJ//DTD//EN" "https://eclipse.dev/aspectj/dtd/aspectj.dtd">
        <aspectj>
          <aspects>
            <concrete-aspect name="my.Broken" extends="org.fedometer.aspects.TimedStage">
              <pointcut name="timed" expression="execution(* a.B.c("/>
            </concrete-aspect>
            <concrete-aspect name="my.FindReader" extends="org.fedometer.aspects.TimedStage">
              <pointcut name="timed" expression="%s"/>
            </concrete-aspect>
          </aspects>
        </aspectj>
        """
            .formatted(READ));
    String escaped = file.toString().replace(",", "\\,");
    try (AgentJvm fedora =
        AgentJvm.start(folder, "=collector=" + collector.address() + ",aop=" + escaped, Map.of())) {
      awaitSampleOf(fedora, "my.find-reader");
      assertThat(fedora.err())
          .contains("custom stage my.broken: 'execution(* a.B.c(' is not a pointcut")
          .contains("the agent starts without it");
      assertThat(stage(Tool.command(fedora.pid(), "status"), "my.broken").weaving())
          .isEqualTo(Weaving.FAILED);
    }
  }

  @Test
  void thatAreBadKeepAnAttachFromDoingAnything() throws Exception {
    try (AgentJvm fedora = AgentJvm.start(folder, null, Map.of())) {
      for (Map.Entry<String, String> bad :
          Map.of(
                  "stage.my.bad=execution(* a.B.c(",
                  "is not a pointcut",
                  "stage.Bad=" + READ,
                  "'Bad' is not a stage name",
                  "stage.ingest=" + READ,
                  "has the name of a Fedometer stage",
                  "stage.my.all=execution(* *(..))",
                  "every class",
                  "aop=/nowhere.xml",
                  "is not a file")
              .entrySet()) {
        AgentReport refused = attach(fedora, bad.getKey());
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.message()).contains(bad.getValue());
      }
      assertThat(fedora.send("threads")).doesNotContain("fedometer");
      assertThat(fedora.err()).isEmpty();

      // An existing one continues as before.
      attach(fedora, "stage.my.read=" + READ);
      assertThat(attach(fedora, "stage.my.bad=execution(").state()).isEqualTo(State.REFUSED);
      awaitSampleOf(fedora, "my.read");
    }
  }

  @Test
  void areRejectedAfterAHundredOthers() throws Exception {
    try (AgentJvm fedora = AgentJvm.start(folder, null, Map.of())) {
      AgentReport report = null;
      for (int round = 0; round < 4; round++) {
        String[] options = new String[40];
        for (int i = 0; i < options.length; i++) {
          options[i] = "stage.my.n" + (40 * round + i) + "=execution(* a.B.c(..))";
        }
        report = attach(fedora, toFile(options));
        if (report.state() == State.REFUSED) {
          break;
        }
      }
      assertThat(report.state()).isEqualTo(State.REFUSED);
      assertThat(report.message()).contains("exceeds the limit", "restart Fedora");
      // A name that was there before has its place.
      assertThat(attach(fedora, "stage.my.n0=" + READ).state()).isEqualTo(State.DONE);
    }
  }

  /** Attach commands have at most 1,024 bytes. */
  private String toFile(String... stages) throws Exception {
    StringBuilder aspects = new StringBuilder("<aspectj><aspects>");
    for (String stage : stages) {
      String name = stage.substring("stage.".length(), stage.indexOf('='));
      aspects
          .append("<concrete-aspect name=\"" + name)
          .append("\" extends=\"org.fedometer.aspects.TimedStage\"><pointcut name=\"timed\"")
          .append(" expression=\"" + stage.substring(stage.indexOf('=') + 1) + "\"/>")
          .append("</concrete-aspect>");
    }
    Path file = Files.createTempFile(folder, "aop", ".xml");
    Files.writeString(file, aspects.append("</aspects></aspectj>"));
    return "aop=" + file;
  }

  private AgentReport attach(AgentJvm fedora, String... options) throws Exception {
    String[] all = new String[options.length + 1];
    all[0] = "collector=" + collector.address();
    System.arraycopy(options, 0, all, 1, options.length);
    return Tool.command(fedora.pid(), "attach", all);
  }

  private void awaitSampleOf(AgentJvm fedora, String stage) {
    awaitSampleOf(fedora, stage, 0);
  }

  private void awaitSampleOf(AgentJvm fedora, String stage, long before) {
    await()
        .until(
            () -> {
              fedora.send("read a:1");
              return collector.samplesOf(stage) > before;
            });
  }

  private static Stage stage(AgentReport report, String name) {
    return report.stages().stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is none of " + report));
  }

  private String histogram(AgentJvm fedora) throws Exception {
    Path out = folder.resolve("histogram");
    Process jcmd =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    String.valueOf(fedora.pid()),
                    "GC.class_histogram"))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(jcmd.waitFor()).isZero();
    return Files.readString(out);
  }
}
