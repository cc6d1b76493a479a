package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "stop",
    description = {
      "Stop a load as Ctrl-C does.",
      "Requests in flight finish, all processes of the run end, and the run can be read."
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer load stop big",
    mixinStandardHelpOptions = true)
public final class LoadStopCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.send("stop");
  }
}
