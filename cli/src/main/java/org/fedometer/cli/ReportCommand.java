package org.fedometer.cli;

import java.util.concurrent.Callable;
import org.fedometer.analysis.RunReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code fedometer report RUN}: the report again, from the run folder alone. */
@Command(
    name = "report",
    description = "Shows the report of a run, made from its folder alone.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "A run's name, or the path of its folder.")
  private String run;

  @Mixin private StoreChoice store;
  @Mixin private ReportOutput output;

  @Override
  public Integer call() throws Exception {
    RunReport report = RunReport.of(store.view().run(run));
    output.print(report);
    return report.endedWell() ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
  }
}
