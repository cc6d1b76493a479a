package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "pause",
    description =
        "Pauses a run: what is under way goes on, nothing more is sent until 'continue'. Safe to"
            + " repeat.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer pause big",
    mixinStandardHelpOptions = true)
public final class PauseCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.ask("pause");
  }
}
