package org.fedometer.attach;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.session.AgentReport;

/** Asks the agents of many JVMs how they are, several at a time. Any thread. */
public final class AgentSurvey {
  private static final int AT_A_TIME = 8;

  private final AgentTool tool;

  public AgentSurvey(AgentTool tool) {
    this.tool = tool;
  }

  /**
   * What came of asking one JVM.
   *
   * @param jvm was asked if it has the agent's jar open
   * @param report the agent's, or empty where there is no agent or no answer
   * @param problem why there is no answer, in words for the user; empty where there is one, or no
   *     agent
   */
  public record Answer(Jvm jvm, Optional<AgentReport> report, String problem) {}

  /**
   * Asks those of the JVMs that have the agent's jar open.
   *
   * @return one answer for each JVM, in their order
   */
  public List<Answer> ask(List<Jvm> jvms) throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(AT_A_TIME, OwnThreads.daemons("fedometer-agent-survey"));
    try {
      List<Future<Answer>> asked = new ArrayList<>();
      for (Jvm jvm : jvms) {
        asked.add(threads.submit(() -> ask(jvm)));
      }
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> answer : asked) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Answer ask(Jvm jvm) throws InterruptedException {
    if (jvm.agentJar().isEmpty()) {
      return new Answer(jvm, Optional.empty(), "");
    }
    try {
      return new Answer(jvm, Optional.of(tool.status(jvm)), "");
    } catch (AgentRefusedException noAgent) {
      return new Answer(jvm, Optional.empty(), "");
    } catch (IOException | RuntimeException e) {
      // What one process does must not hide the others.
      return new Answer(jvm, Optional.empty(), FailureText.of(e));
    }
  }
}
