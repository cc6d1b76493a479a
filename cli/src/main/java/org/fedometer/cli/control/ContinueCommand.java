package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "continue",
    description =
        "Lets a paused run go on; what was to be sent when is later by the pause. Safe to repeat.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer continue big",
    mixinStandardHelpOptions = true)
public final class ContinueCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.ask("continue");
  }
}
