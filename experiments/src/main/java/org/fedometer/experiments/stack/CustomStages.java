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

/** Custom stages in a Fedora that was started with them. Immutable. */
public final class CustomStages {
  private final Weaver agent;
  private final Map<String, String> agentOptions;

  /** Queries the agent in a JVM, which first weaves loaded classes. */
  @FunctionalInterface
  interface Weaver {
    AgentReport weave(long pid) throws IOException, InterruptedException;
  }

  CustomStages(Weaver agent, Map<String, String> agentOptions) {
    this.agent = agent;
    this.agentOptions = Map.copyOf(agentOptions);
  }

  /**
   * @param agentJar the agent that Fedora is started with
   * @param agentOptions the agent's options by name, including custom stages, if any
   */
  public static CustomStages of(Path agentJar, Map<String, String> agentOptions) {
    return new CustomStages(pid -> new AgentTool(agentJar).weave(Jvms.of(pid)), agentOptions);
  }

  /**
   * Waits until the stages are woven into everything that Fedora has loaded: the agent by itself
   * looks for a pattern's classes only about every second. Does nothing without custom stages, so
   * that no other Fedora is attached to.
   *
   * @param stack with a started Fedora that answers
   * @param missing gets the reasons for missing calls: a failed weaving, a failed query of the
   *     agent, or a timeout of 45 s
   * @param unmatched gets stages that match nothing so far
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
          mayMissCalls("the agent is attached, but its stages could not be read: " + Reason.of(e)));
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
   * Returns requested stages that Fedora lacks, perhaps because of a typing error.
   *
   * @return a sentence for each
   */
  public static List<String> unmatched(
      Map<String, String> agentOptions, List<AgentReport.Stage> stages) {
    return requested(agentOptions, stages, AgentReport.Weaving.NOT_FOUND)
        .map(
            stage ->
                stage.name()
                    + " matches nothing that Fedora has loaded so far; it is woven about a second"
                    + " after a matching class is loaded; 'javap -p -cp JAR CLASS' shows the"
                    + " methods of a class in the jars of webapps/fedora/WEB-INF/lib")
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
