package org.fedometer.benchmarks.fedora;

import java.io.IOException;
import java.util.Map;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvm;
import org.fedometer.wire.session.AgentReport;

/** Brings the agent in, switches its recording, takes it out, and keeps what it says of itself. */
final class RecordingSwitch {
  private final AgentTool tool;
  private final Jvm jvm;
  private Map<String, String> facts = Map.of();
  private long maxMemoryBytes;
  private boolean on;
  private long sinceNanos;
  private long recordingNanos;

  RecordingSwitch(AgentTool tool, Jvm jvm) {
    this.tool = tool;
    this.jvm = jvm;
  }

  void attach(int collectorPort) throws IOException, InterruptedException {
    Map<String, String> options =
        Map.of("collector", "127.0.0.1:" + collectorPort, "source-name", "fedora");
    update(tool.attach(jvm, options, false, message -> {}), true);
  }

  /** Gives the command in any case, also where it changes nothing. */
  void setRecording(boolean recording) throws IOException, InterruptedException {
    update(recording ? tool.resume(jvm) : tool.pause(jvm), recording);
  }

  void detach() throws IOException, InterruptedException {
    update(tool.detach(jvm, message -> {}), false);
  }

  private void update(AgentReport report, boolean recordingNow) {
    long now = System.nanoTime();
    if (on) {
      recordingNanos += now - sinceNanos;
    }
    on = recordingNow;
    sinceNanos = now;
    facts = report.facts();
    maxMemoryBytes = Math.max(maxMemoryBytes, fact(AgentReport.MEMORY_BYTES));
  }

  /** How long it has recorded, up to the last command. */
  double recordingSeconds() {
    return recordingNanos / 1e9;
  }

  /** The most that it held at any command. */
  long maxMemoryBytes() {
    return maxMemoryBytes;
  }

  /** A number by its name in {@link AgentReport}, as of the last command. */
  long fact(String name) {
    String value = facts.get(name);
    if (value == null) {
      throw new IllegalStateException("The agent did not say its " + name + ".");
    }
    return Long.parseLong(value);
  }
}
