package org.fedometer.experiments;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.attach.Jvm;
import org.fedometer.wire.session.AgentReport;

/**
 * What came of bringing the agent into a JVM.
 *
 * @param jvm as it was before
 * @param facts the newest, by the names of {@link AgentReport}
 * @param captures what became of all that is woven and times nothing
 */
public record AttachOutcome(
    Jvm jvm,
    String message,
    Map<String, String> facts,
    List<AgentReport.Stage> stages,
    List<AgentReport.Stage> captures) {

  /** Whether a collector takes the samples. */
  public boolean isConnected() {
    return Boolean.parseBoolean(facts.get(AgentReport.CONNECTED));
  }

  /** Whether samples of the agent that was there before are lost; the message says so. */
  public boolean hasProblem() {
    return facts.containsKey(AgentReport.FAILURE);
  }

  public List<AgentReport.Stage> failed() {
    return Stream.concat(stages.stream(), captures.stream())
        .filter(woven -> woven.weaving() == AgentReport.Weaving.FAILED)
        .toList();
  }
}
