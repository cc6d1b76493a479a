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

/** Queries the agents of many JVMs, several at a time. Any thread. */
public final class AgentSurvey {
  private static final int MAX_CONCURRENT = 8;

  private final AgentTool tool;

  public AgentSurvey(AgentTool tool) {
    this.tool = tool;
  }

  /**
   * The result for one JVM.
   *
   * @param jvm queried if it has the agent's jar open
   * @param report the agent's, or empty without an agent or a reply
   * @param problem why there is no reply, for the user; empty if there is one, or no agent
   */
  public record SurveyResult(Jvm jvm, Optional<AgentReport> report, String problem) {}

  /**
   * Queries those of the JVMs that have the agent's jar open.
   *
   * @return one result for each JVM, in their order
   */
  public List<SurveyResult> query(List<Jvm> jvms) throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            MAX_CONCURRENT, DaemonThreads.factory("fedometer-agent-survey"));
    try {
      List<Future<SurveyResult>> futures = new ArrayList<>();
      for (Jvm jvm : jvms) {
        futures.add(threads.submit(() -> query(jvm)));
      }
      List<SurveyResult> results = new ArrayList<>();
      for (Future<SurveyResult> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private SurveyResult query(Jvm jvm) throws InterruptedException {
    if (jvm.agentJar().isEmpty()) {
      return new SurveyResult(jvm, Optional.empty(), "");
    }
    try {
      return new SurveyResult(jvm, Optional.of(tool.status(jvm)), "");
    } catch (AgentRejectedException noAgent) {
      return new SurveyResult(jvm, Optional.empty(), "");
    } catch (IOException | RuntimeException e) {
      // One failing process must not hide the others.
      return new SurveyResult(jvm, Optional.empty(), FailureText.of(e));
    }
  }
}
