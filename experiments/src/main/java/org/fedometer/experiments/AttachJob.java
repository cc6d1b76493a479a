package org.fedometer.experiments;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvm;
import org.fedometer.attach.Jvms;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.job.Reason;
import org.fedometer.wire.session.AgentReport;

/**
 * Attaches the agent to a running Fedora and, unless it sends to a Log4j2 receiver, connects a
 * collector. A background collector lives as long as the agent is connected. Call {@link #run}
 * once; an interrupt of its thread ends the wait, not the agent.
 */
public final class AttachJob {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Each query makes a JVM of Java 21 or later log a warning. */
  private static final long POLL_MILLIS = 2_500;

  private final AttachOptions options;
  private final Consumer<String> updates;
  private final AgentTool tool;

  /**
   * @param updates gets progress, on the thread of {@link #run}
   */
  public AttachJob(AttachOptions options, Consumer<String> updates) {
    this.options = options;
    this.updates = updates;
    this.tool = new AgentTool(options.agentJar());
  }

  /**
   * Returns once the agent is attached and, within a bounded time, connected to its collector.
   *
   * @throws AttachException if the JVM cannot be attached to, with the reason
   * @throws IOException if no collector is available
   */
  public AttachOutcome run() throws IOException, InterruptedException {
    Jvm jvm = Jvms.of(options.pid());
    rejectTokenWithoutFile();
    Map<String, String> agentOptions = options.collector().access().agentOptionsByName("");
    agentOptions.putAll(options.agentOptions());
    tool.check(jvm, agentOptions, options.any());
    String peer = CollectorLink.hostAndPort(findJvm());
    agentOptions.put("collector", peer);
    updates.accept(
        "attaching to process "
            + jvm.pid()
            + (options.sendsToReceiver() ? ", receiver at " : ", collector at ")
            + peer);
    AgentReport report = tool.attach(jvm, agentOptions, options.any(), updates::accept);
    return new AttachOutcome(
        jvm, report.message(), connectedFacts(report), report.stages(), report.captures());
  }

  /** Returns the address; a receiver may only be reachable by the agent. */
  private InetSocketAddress findJvm() throws IOException, InterruptedException {
    return options.sendsToReceiver()
        ? options.collector().named()
        : CollectorLink.find(options.collector());
  }

  private void rejectTokenWithoutFile() {
    if (!options.collector().access().agentEnvironment().isEmpty()) {
      throw new IllegalArgumentException(
          "a running process cannot get the variable "
              + CollectorAccess.TOKEN_VARIABLE
              + "; put the token into a file that Fedora's user can read, and give --token-file");
    }
  }

  /** Waits a bounded time, since the agent connects asynchronously. */
  private Map<String, String> connectedFacts(AgentReport report) throws InterruptedException {
    Map<String, String> facts = report.facts();
    long deadlineNanos = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
    while ("false".equals(facts.get(AgentReport.CONNECTED))
        && System.nanoTime() - deadlineNanos < 0) {
      Thread.sleep(POLL_MILLIS);
      try {
        facts = tool.status(Jvms.of(options.pid())).facts();
      } catch (IOException e) {
        // Stages, and samples of an earlier agent, are reported all the same.
        updates.accept(
            "the agent is attached, but the state of its connection could not be read: "
                + Reason.of(e));
        break;
      }
    }
    if (!report.facts().containsKey(AgentReport.FAILURE)) {
      return facts;
    }
    // Only the command's response reports the loss of an earlier connection.
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put(AgentReport.FAILURE, report.facts().get(AgentReport.FAILURE));
    return all;
  }
}
