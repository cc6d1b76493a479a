package org.fedometer.cli.agent;

import java.util.concurrent.Callable;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "stages",
    description =
        "Lists the stages that the agent times in Fedora, and the methods that each is; 'show' has"
            + " them with their packages. Stages of your own are not among them.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer stages", "  fedometer stages show ingest.validate"},
    mixinStandardHelpOptions = true,
    subcommands = {StagesCommand.ListCommand.class, StagesCommand.ShowCommand.class})
public final class StagesCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array; of one stage, a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    return list(json);
  }

  private static int list(boolean json) throws Exception {
    StageList stages = stages();
    StandardOutput.jsonOrText(json, stages.asJson(), stages::print);
    return ExitCode.DONE;
  }

  private static StageList stages() {
    return StageList.of(new AgentJar(Installation.current().agentJar()).stages());
  }

  @Command(
      name = "list",
      description = "Lists stages, and the methods that each is.",
      footerHeading = Headings.EXAMPLES,
      footer = {"  fedometer stages list", "  fedometer stages list --json"},
      mixinStandardHelpOptions = true)
  static final class ListCommand implements Callable<Integer> {
    @ParentCommand private StagesCommand command;

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
      return list(json || command.json);
    }
  }

  @Command(
      name = "show",
      description = "Shows a stage: its group, and its methods with their packages.",
      footerHeading = Headings.EXAMPLES,
      footer = "  fedometer stages show store.foxml",
      mixinStandardHelpOptions = true)
  static final class ShowCommand implements Callable<Integer> {
    @ParentCommand private StagesCommand command;

    @Parameters(paramLabel = "S", description = "A stage's name.")
    private String name;

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
      StageList stages = stages();
      StandardOutput.jsonOrText(
          json || command.json, stages.asJson(name), out -> stages.print(name, out));
      return ExitCode.DONE;
    }
  }
}
