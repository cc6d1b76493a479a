package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "resume",
    description = {
      "Resume a paused load.",
      "Intended starts are later by the pause. Safe to repeat."
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer load resume big",
    mixinStandardHelpOptions = true)
public final class LoadResumeCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;

  @Override
  public Integer call() {
    return run.send("resume");
  }
}
