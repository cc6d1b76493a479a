package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.Stage;
import org.fedometer.wire.session.AgentReport.Weaving;
import org.junit.jupiter.api.Test;

class CustomStagesTest {
  private static final Map<String, String> OPTIONS =
      Map.of("stage.my.commit", "p", "stage.my.read", "p", "stage.my.big", "p", "memory", "16m");

  private final List<String> missing = new ArrayList<>();
  private final List<String> unmatched = new ArrayList<>();

  @Test
  void reportsUnmatchedAndFailedCustomStages() throws Exception {
    awaitWoven(
        "",
        Map.of(),
        new Stage("my.commit", Weaving.NOT_FOUND, ""),
        new Stage("my.read", Weaving.WOVEN, "A.b"),
        new Stage("my.big", Weaving.FAILED, "the JVM rejects its woven bytecode"),
        new Stage("xacml.decide", Weaving.NOT_FOUND, ""),
        new Stage("xacml.fetch", Weaving.FAILED, ""));
    assertThat(unmatched)
        .singleElement()
        .asString()
        .startsWith("my.commit matches nothing that Fedora has loaded so far");
    assertThat(missing).containsExactly("my.big is not timed: the JVM rejects its woven bytecode");
  }

  @Test
  void reportsWhyCallsMayBeMissing() throws Exception {
    awaitWoven("some loaded classes are not woven yet", Map.of());
    assertThat(missing)
        .containsExactly("custom stages may miss calls: some loaded classes are not woven yet");
    missing.clear();

    awaitWoven("", Map.of(AgentReport.FAILURE, "nothing is woven; attach again"));
    assertThat(missing)
        .containsExactly("custom stages may miss calls: nothing is woven; attach again");
    missing.clear();

    new CustomStages(
            pid -> {
              throw new IOException("it keeps agents out");
            },
            OPTIONS)
        .awaitWoven(1, missing::add, unmatched::add);
    assertThat(missing)
        .containsExactly(
            "custom stages may miss calls: the agent is attached, but its stages could not"
                + " be read: it keeps agents out");
    assertThat(unmatched).isEmpty();
  }

  @Test
  void doesNotAttachWithoutCustomStages() throws Exception {
    new CustomStages(
            pid -> {
              throw new AssertionError("asked");
            },
            Map.of("memory", "16m"))
        .awaitWoven(1, missing::add, unmatched::add);
    assertThat(missing).isEmpty();
  }

  private void awaitWoven(String message, Map<String, String> facts, Stage... stages)
      throws InterruptedException {
    new CustomStages(
            pid ->
                new AgentReport(
                    "", AgentReport.State.DONE, message, facts, List.of(stages), List.of()),
            OPTIONS)
        .awaitWoven(1, missing::add, unmatched::add);
  }
}
