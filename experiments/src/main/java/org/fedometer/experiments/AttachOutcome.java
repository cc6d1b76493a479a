package org.fedometer.experiments;

import java.util.List;
import java.util.Map;
import org.fedometer.attach.Jvm;
import org.fedometer.wire.AgentReport;

/**
 * What came of bringing the agent into a JVM.
 *
 * @param jvm as it was before
 * @param message the agent's last word
 * @param facts the newest, by the names of {@link AgentReport}
 * @param stages what became of each
 */
public record AttachOutcome(
    Jvm jvm, String message, Map<String, String> facts, List<AgentReport.Stage> stages) {

  /** Whether a collector takes the samples. */
  public boolean isConnected() {
    return Boolean.parseBoolean(facts.get(AgentReport.CONNECTED));
  }

  /** Whether samples of the agent that was there before are lost; the message says so. */
  public boolean hasTrouble() {
    return facts.containsKey(AgentReport.TROUBLE);
  }

  /** How many stages came to that. */
  public long count(AgentReport.Weaving weaving) {
    return stages.stream().filter(stage -> stage.weaving() == weaving).count();
  }
}
