package org.fedometer.cli.agent;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.session.AgentReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "detach",
    description = {
      "Remove the agent from a running Fedora.",
      "All classes get their original code back; the agent's threads and its connection" + " end."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:removed; all samples are with the collector",
      "1:a class was not restored, or samples are lost",
      "2:bad usage",
      "3:no such process, or no agent in it"
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer detach 4242",
    mixinStandardHelpOptions = true)
public final class DetachCommand implements Callable<Integer> {
  @Mixin private AgentProcess process;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    AgentTool tool = new AgentTool(Installation.current().agentJar());
    PrintWriter err = spec.commandLine().getErr();
    AgentReport report =
        tool.detach(Jvms.of(process.pid()), message -> err.println(SafeLine.of(message)));
    AgentProcess.print(process.pid(), report, json, err);
    return report.facts().containsKey(AgentReport.FAILURE)
        ? ExitCode.DONE_WITH_ERRORS
        : ExitCode.DONE;
  }
}
