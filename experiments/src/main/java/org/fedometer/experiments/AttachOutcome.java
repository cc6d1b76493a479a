package org.fedometer.experiments;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.attach.Jvm;
import org.fedometer.wire.session.AgentReport;

/**
 * Result of attaching the agent to a JVM.
 *
 * @param jvm state before
 * @param facts the latest, by the names of {@link AgentReport}
 * @param captures results of weaving that times nothing
 */
public record AttachOutcome(
    Jvm jvm,
    String message,
    Map<String, String> facts,
    List<AgentReport.Stage> stages,
    List<AgentReport.Stage> captures) {

  /** Returns whether a collector accepts the samples. */
  public boolean isConnected() {
    return Boolean.parseBoolean(facts.get(AgentReport.CONNECTED));
  }

  /** Returns whether samples of an earlier agent are lost; the message explains it. */
  public boolean hasProblem() {
    return facts.containsKey(AgentReport.FAILURE);
  }

  public List<AgentReport.Stage> failed() {
    return Stream.concat(stages.stream(), captures.stream())
        .filter(woven -> woven.weaving() == AgentReport.Weaving.FAILED)
        .toList();
  }
}
