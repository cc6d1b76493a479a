package org.fedometer.cli.control;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.driver.Controllable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "set",
    description = "Change the workers or the rate of a load in progress.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer load set big --workers 8 --rate 20",
    mixinStandardHelpOptions = true)
public final class LoadSetCommand implements Callable<Integer> {
  @Mixin private ControlledRun run;
  @Spec private CommandSpec spec;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Number of concurrent requests from now on.")
  private Integer workers;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = "Open model: objects per second from now on.")
  private Double ratePerSecond;

  @Option(
      names = "--closed",
      description = "Closed model from now on: each worker sends when its last request has ended.")
  private boolean closedModel;

  @Override
  public Integer call() {
    validate();
    if (workers == null && ratePerSecond == null && !closedModel) {
      throw new ParameterException(
          spec.commandLine(), "give --workers, --rate or --closed; 'load status' shows the load");
    }
    return run.send(
        "load"
            + (workers == null ? "" : " workers=" + workers)
            + (ratePerSecond == null ? "" : " rate=" + ratePerSecond)
            + (closedModel ? " closed" : ""));
  }

  /** Rejects an invalid load before contacting the run. */
  private void validate() {
    new Controllable.Change(workers, ratePerSecond, closedModel);
  }
}
