package org.fedometer.cli;

import java.util.concurrent.Callable;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.wire.AgentReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fedometer detach}: the agent out of a Fedora. */
@Command(
    name = "detach",
    description =
        "Takes the agent out of a running Fedora: its classes get their original code back, the"
            + " connection to the collector and the agent's threads end.",
    mixinStandardHelpOptions = true)
final class DetachCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "PID",
      converter = ProcessArgument.class,
      description = "Number of Fedora's process; 'fedometer agents' lists those with an agent.")
  private Long pid;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    AgentTool tool = new AgentTool(Distribution.current().agentJar());
    AgentReport report =
        tool.detach(Jvms.of(pid), message -> System.err.println(SafeLine.of(message)));
    if (json) {
      StandardOutput.json(AgentJson.of(pid, report));
    } else {
      System.out.println(SafeLine.of("process " + pid + ": " + report.message()));
    }
    return ExitCode.DONE;
  }
}
