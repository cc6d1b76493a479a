package org.fedometer.experiments.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.experiments.job.Reason;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.session.AgentReport;

/** Stages of the user's in a Fedora. Stateless. */
public final class OwnStages {
  private OwnStages() {}

  /**
   * Returns when they are woven into all that a Fedora has loaded by now, so that they are complete
   * from the first object on: the agent looks for a pattern's classes only every second or so. Does
   * nothing where there are none, so that no other Fedora is attached to.
   *
   * @param stack whose Fedora has been started with the agent, and answers
   * @param agentJar the one it was started with
   * @param agentOptions the agent's, by name
   * @param note hears of a stage that matches nothing, and why some calls may be missing where the
   *     agent cannot be asked or takes longer than a minute
   */
  public static void awaitWoven(
      Stack stack, Path agentJar, Map<String, String> agentOptions, Consumer<String> note)
      throws InterruptedException {
    OptionalLong pid = stack.fedoraPid();
    if (pid.isEmpty() || agentOptions.keySet().stream().noneMatch(OwnStages::isOne)) {
      return;
    }
    try {
      AgentReport report = new AgentTool(agentJar).weave(Jvms.of(pid.getAsLong()));
      if (!report.message().isEmpty()) {
        note.accept(mayMiss(report.message()));
      }
      withoutMatch(agentOptions, report.stages()).forEach(note);
    } catch (IOException e) {
      note.accept(mayMiss("the agent could not be asked (" + Reason.of(e) + ")"));
    }
  }

  private static String mayMiss(String why) {
    return "the stages of your own may miss the first calls: " + why;
  }

  /**
   * Of stages that were asked for, those that are not in the Fedora: misspelt, perhaps.
   *
   * @param agentOptions the agent's by name, stages of the user's among them
   * @param stages what became of all
   * @return a sentence for each
   */
  public static List<String> withoutMatch(
      Map<String, String> agentOptions, List<AgentReport.Stage> stages) {
    return stages.stream()
        .filter(stage -> stage.weaving() == AgentReport.Weaving.NOT_FOUND)
        .filter(stage -> agentOptions.containsKey(AgentOption.STAGE_PREFIX + stage.name()))
        .map(
            stage ->
                stage.name()
                    + " matches nothing that Fedora has loaded by now; 'javap -p -cp JAR CLASS' shows the methods"
                    + " of a class in the jars of webapps/fedora/WEB-INF/lib")
        .toList();
  }

  private static boolean isOne(String option) {
    return option.startsWith(AgentOption.STAGE_PREFIX);
  }
}
