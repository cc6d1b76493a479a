package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "pause",
    description = {"Pause a load: requests in flight finish, no more are sent.", "Safe to repeat."},
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer load pause big",
    mixinStandardHelpOptions = true)
public final class LoadPauseCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.send("pause");
  }
}
