package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "status",
    description = "Show the progress of a load.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer load status big",
    mixinStandardHelpOptions = true)
public final class LoadStatusCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.send("status");
  }
}
