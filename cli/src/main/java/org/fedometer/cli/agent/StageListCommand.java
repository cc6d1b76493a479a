package org.fedometer.cli.agent;

import java.util.concurrent.Callable;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = {
      "List the stages that the agent times, with their methods.",
      "Custom stages are not among them."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer stage list", "  fedometer stage list --json"},
    mixinStandardHelpOptions = true)
public final class StageListCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    StageList stages = ofInstallation();
    StandardOutput.jsonOrText(json, stages.asJson(), stages::print);
    return ExitCode.DONE;
  }

  static StageList ofInstallation() {
    return StageList.of(new AgentJar(Installation.current().agentJar()).stages());
  }
}
