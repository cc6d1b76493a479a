package org.fedometer.experiments.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.fedometer.attach.AgentRejectedException;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.experiments.job.Reason;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.session.AgentReport;

/** Stages of the user's in a Fedora that has been started with them. Immutable. */
public final class CustomStages {
  private final Weaver agent;
  private final Map<String, String> agentOptions;

  /** Asks the agent in a JVM, which first weaves what is loaded. */
  @FunctionalInterface
  interface Weaver {
    AgentReport weave(long pid) throws IOException, InterruptedException;
  }

  CustomStages(Weaver agent, Map<String, String> agentOptions) {
    this.agent = agent;
    this.agentOptions = Map.copyOf(agentOptions);
  }

  /**
   * @param agentJar the one that Fedora is started with
   * @param agentOptions the agent's by name, stages of the user's among them, if any
   */
  public static CustomStages of(Path agentJar, Map<String, String> agentOptions) {
    return new CustomStages(pid -> new AgentTool(agentJar).weave(Jvms.of(pid)), agentOptions);
  }

  /**
   * Returns when the stages are woven into all that a Fedora has loaded by now: by itself the agent
   * looks for a pattern's classes only every second or so. Does nothing where there are none, so
   * that no other Fedora is attached to.
   *
   * @param stack whose Fedora has been started, and answers
   * @param missing hears why calls of a stage may be missing: it cannot be woven, the agent cannot
   *     be asked, or takes longer than 45 s
   * @param unmatched hears of stages that match nothing so far
   */
  public void awaitWoven(Stack stack, Consumer<String> missing, Consumer<String> unmatched)
      throws InterruptedException {
    OptionalLong pid = stack.fedoraPid();
    if (pid.isPresent()) {
      awaitWoven(pid.getAsLong(), missing, unmatched);
    }
  }

  void awaitWoven(long pid, Consumer<String> missing, Consumer<String> unmatched)
      throws InterruptedException {
    if (agentOptions.keySet().stream().noneMatch(CustomStages::isStageOption)) {
      return;
    }
    try {
      AgentReport report = agent.weave(pid);
      String problem = report.facts().getOrDefault(AgentReport.FAILURE, report.message());
      if (!problem.isEmpty()) {
        missing.accept(mayMissCalls(problem));
      }
      failed(report.stages()).forEach(missing);
      unmatched(agentOptions, report.stages()).forEach(unmatched);
    } catch (AgentRejectedException e) {
      missing.accept(mayMissCalls("the agent says: " + Reason.of(e)));
    } catch (IOException | RuntimeException e) {
      missing.accept(
          mayMissCalls(
              "the agent is in, and could not be asked whether they are woven: " + Reason.of(e)));
    }
  }

  private static String mayMissCalls(String why) {
    return "custom stages may miss calls: " + why;
  }

  private List<String> failed(List<AgentReport.Stage> stages) {
    return requested(agentOptions, stages, AgentReport.Weaving.FAILED)
        .map(stage -> stage.name() + " is not timed: " + stage.detail())
        .toList();
  }

  /**
   * Of stages that were asked for, those that are not in the Fedora: misspelt, perhaps.
   *
   * @return a sentence for each
   */
  public static List<String> unmatched(
      Map<String, String> agentOptions, List<AgentReport.Stage> stages) {
    return requested(agentOptions, stages, AgentReport.Weaving.NOT_FOUND)
        .map(
            stage ->
                stage.name()
                    + " matches nothing that Fedora has loaded by now, and is woven about a second"
                    + " after something that it matches is loaded; 'javap -p -cp JAR CLASS' shows"
                    + " the methods of a class in the jars of webapps/fedora/WEB-INF/lib")
        .toList();
  }

  private static Stream<AgentReport.Stage> requested(
      Map<String, String> agentOptions,
      List<AgentReport.Stage> stages,
      AgentReport.Weaving weaving) {
    return stages.stream()
        .filter(stage -> stage.weaving() == weaving)
        .filter(stage -> agentOptions.containsKey(AgentOption.STAGE_PREFIX + stage.name()));
  }

  private static boolean isStageOption(String option) {
    return option.startsWith(AgentOption.STAGE_PREFIX);
  }
}
