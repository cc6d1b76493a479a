package org.fedometer.cli.agent;

import java.util.concurrent.Callable;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.wire.session.AgentReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "pause",
    description = "Pause an attached agent: it stays, and records nothing.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer agent pause 4242",
    mixinStandardHelpOptions = true)
public final class AgentPauseCommand implements Callable<Integer> {
  @Mixin private AgentProcess process;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    AgentTool tool = new AgentTool(Installation.current().agentJar());
    AgentReport report = tool.pause(Jvms.of(process.pid()));
    AgentProcess.print(process.pid(), report, json, spec.commandLine().getErr());
    return ExitCode.DONE;
  }
}
