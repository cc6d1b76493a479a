package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "stop",
    description =
        "Stops a run as Ctrl-C does: what is under way may finish, all that was started is ended, and"
            + " the run's folder is readable.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer stop big",
    mixinStandardHelpOptions = true)
public final class StopCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.ask("stop");
  }
}
