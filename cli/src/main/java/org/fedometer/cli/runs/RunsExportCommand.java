package org.fedometer.cli.runs;

import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.option.InfluxOptions;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.collector.influx.InfluxExport;
import org.fedometer.collector.influx.InfluxTarget;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    description = {
      "Write the points of a run to an InfluxDB.",
      "They are what a collector with --influx sends live. Repeating it changes nothing."
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer runs export big --influx http://HOST:8086 --influx-database runs",
    mixinStandardHelpOptions = true)
public final class RunsExportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "Name of a run, or the path of its folder.")
  private String run;

  @Mixin private InfluxOptions influx;
  @Mixin private StoreChoice store;

  @Override
  public Integer call() throws Exception {
    InfluxTarget target = influx.target();
    InfluxExport.Result result = new InfluxExport(target).write(store.view().run(run));
    if (result.refused() == 0) {
      System.out.printf(
          "%s: %s written to %s%n", run, NumberFormats.count(result.points(), "point"), target);
      return ExitCode.DONE;
    }
    System.out.printf(
        "%s: %s sent to %s, %d in batches that it rejected at least in part: %s%n",
        run,
        NumberFormats.count(result.points(), "point"),
        target,
        result.refused(),
        SafeLine.of(result.reason()));
    return ExitCode.DONE_WITH_ERRORS;
  }
}
