package org.fedometer.cli.agent;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = "Show a stage: its group, and its methods with their packages.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer stage show store.foxml",
    mixinStandardHelpOptions = true)
public final class StageShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "STAGE", description = "Name of a stage.")
  private String name;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    StageList stages = StageListCommand.ofInstallation();
    StandardOutput.jsonOrText(json, stages.asJson(name), out -> stages.print(name, out));
    return ExitCode.DONE;
  }
}
