package org.fedometer.cli.agent;

import java.io.IOException;
import java.io.PrintWriter;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.session.AgentReport;
import picocli.CommandLine.Parameters;

/** The command's target process, which contains the agent. */
final class AgentProcess {
  @Parameters(
      index = "0",
      paramLabel = "PROCESS",
      converter = ProcessIdConverter.class,
      description = "Fedora's process id; see 'fedometer agent list'.")
  private Long pid;

  long pid() {
    return pid;
  }

  /** Prints the agent's report, and on {@code err} the number of refused threads. */
  static void print(long pid, AgentReport report, boolean json, PrintWriter err)
      throws IOException {
    if (json) {
      StandardOutput.json(AgentJson.of(pid, report));
    } else {
      System.out.println(SafeLine.of("process " + pid + ": " + report.message()));
      String refused = new AgentFacts(report.facts()).refusedThreadsText();
      if (!refused.isEmpty()) {
        err.println(SafeLine.of("process " + pid + ": " + refused));
      }
    }
  }
}
