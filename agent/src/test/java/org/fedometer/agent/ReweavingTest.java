package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicInteger;
import org.fcrepo.server.management.DefaultManagement;
import org.fedometer.agent.core.Agent;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.Stage;
import org.fedometer.wire.session.AgentReport.State;
import org.fedometer.wire.session.AgentReport.Weaving;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests an attach with other custom stages in which the JVM rejects its earlier transformation. */
@Tag("slow")
class ReweavingTest {

  private static final String INGEST =
      "=execution(* " + DefaultManagement.class.getName() + ".ingest(..))";

  private final AtomicInteger rejections = new AtomicInteger();
  private volatile boolean rejectsRestoring;
  private volatile ClassFileTransformer transformer;
  private ScriptedCollector collector;
  private Agent agent;

  @BeforeEach
  void attach() throws Exception {
    collector = new ScriptedCollector(0);
    agent = new Agent("test");
    assertThat(attach("stage.test.before" + INGEST).state()).isEqualTo(State.DONE);
  }

  @AfterEach
  void detach() throws Exception {
    command("detach");
    collector.close();
  }

  @Test
  void failureRestoresThePreviousStagesAndIsReported() throws Exception {
    rejections.set(1);
    AgentReport report = attach("stage.test.after" + INGEST);
    assertThat(report.state()).isEqualTo(State.REFUSED);
    assertThat(report.message())
        .contains("not now", "they are woven with the old stages", "the present agent continues");
    assertThat(transformer).isNotNull();
    AgentReport status = command("status");
    assertThat(status.stages())
        .filteredOn(stage -> stage.weaving() == Weaving.WOVEN)
        .extracting(Stage::name)
        .contains("ingest", "test.before")
        .doesNotContain("test.after");
    assertThat(attach("stage.test.after" + INGEST).state()).isEqualTo(State.DONE);
  }

  @Test
  void secondFailureIsReportedAndTheNextAttachWeaves() throws Exception {
    rejections.set(2);
    AgentReport report = attach("stage.test.after" + INGEST);
    assertThat(report.state()).isEqualTo(State.REFUSED);
    assertThat(report.message()).contains("nor with the old stages", "nothing is timed");
    assertThat(transformer).isNull();
    AgentReport status = command("status");
    assertThat(status.stages()).isEmpty();
    assertThat(status.facts()).containsEntry(AgentReport.FAILURE, "nothing is woven; attach again");
    report = attach("stage.test.after" + INGEST);
    assertThat(report.state()).isEqualTo(State.DONE);
    assertThat(report.stages())
        .filteredOn(stage -> stage.weaving() == Weaving.WOVEN)
        .extracting(Stage::name)
        .contains("ingest", "test.after");
  }

  @Test
  void classThatCannotBeRestoredIsReportedAsFailure() throws Exception {
    rejectsRestoring = true;
    AgentReport report = attach("stage.test.after" + INGEST);
    rejectsRestoring = false;
    assertThat(report.state()).isEqualTo(State.DONE);
    assertThat(report.facts().get(AgentReport.FAILURE))
        .contains(DefaultManagement.class.getName(), "cannot be restored", "not this one");
    assertThat(report.message()).contains("cannot be restored");
  }

  private AgentReport attach(String stage) throws Exception {
    return command("attach", "collector=" + collector.address(), "telemetry=off", stage);
  }

  private AgentReport command(String command, String... options) throws Exception {
    Instrumentation instrumentation = instrumentation();
    return Tool.command(arguments -> agent.apply(arguments, instrumentation), command, options);
  }

  private Instrumentation instrumentation() {
    return StandInInstrumentation.of(
        this::setTransformer, () -> new Class<?>[] {DefaultManagement.class}, this::retransform);
  }

  private void setTransformer(ClassFileTransformer addedOrNull) {
    if (addedOrNull != null && rejections.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("not now");
    }
    transformer = addedOrNull;
  }

  private void retransform(Class<?>[] classes) throws Exception {
    for (Class<?> type : classes) {
      String name = type.getName().replace('.', '/');
      if (transformer == null && rejectsRestoring) {
        throw new IllegalStateException("not this one");
      }
      try (InputStream in = type.getResourceAsStream("/" + name + ".class")) {
        if (transformer != null) {
          transformer.transform(type.getClassLoader(), name, type, null, in.readAllBytes());
        }
      }
    }
  }
}
