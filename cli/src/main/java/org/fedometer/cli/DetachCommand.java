package org.fedometer.cli;

import java.util.concurrent.Callable;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.wire.AgentReport;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fedometer detach}: the agent out of a Fedora. */
@Command(
    name = "detach",
    description =
        "Takes the agent out of a running Fedora: its classes get their original code back, the"
            + " connection to the collector and the agent's threads end.",
    footerHeading = Main.EXAMPLES,
    footer = "  fedometer detach 4242",
    mixinStandardHelpOptions = true)
final class DetachCommand implements Callable<Integer> {
  @Mixin private AgentProcess process;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    AgentTool tool = new AgentTool(Distribution.current().agentJar());
    AgentReport report =
        tool.detach(Jvms.of(process.pid()), message -> System.err.println(SafeLine.of(message)));
    AgentProcess.print(process.pid(), report, json);
    return report.facts().containsKey(AgentReport.TROUBLE)
        ? ExitCode.DONE_WITH_ERRORS
        : ExitCode.DONE;
  }
}
