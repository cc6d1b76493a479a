package org.fedometer.cli.runs;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PageFile;
import org.fedometer.cli.terminal.ReportOutput;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunView;
import org.fedometer.store.StoreView;
import org.fedometer.store.StoredExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "report",
    description = "Show the report of a run.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer report big", "  fedometer report big --html big.html --open"},
    mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "Name of a run, or the path of its folder.")
  private String run;

  @Option(names = "--open", description = "Open the page of --html in a browser.")
  private boolean open;

  @Mixin private StoreChoice store;
  @Mixin private ReportOutput output;

  @Override
  public Integer call() throws Exception {
    PageFile.requireFile(output.page(), open);
    RunView view = find(store.view());
    RunReport report = RunReport.of(view);
    output.show(view, report, open);
    return report.endedWell() ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
  }

  /** Finds the run; lists the runs if the name is an experiment's. */
  private RunView find(StoreView view) throws NoSuchRunException, IOException {
    try {
      return view.run(run);
    } catch (NoSuchRunException e) {
      Optional<StoredExperiment> experiment = StoredExperiment.find(view, run);
      if (experiment.isEmpty()) {
        throw e;
      }
      throw new IllegalArgumentException(
          run
              + " is an experiment: 'fedometer compare "
              + run
              + store.hint()
              + "' compares its profiles; 'fedometer report' shows one of its runs: "
              + experiment.get().runs().stream()
                  .map(each -> each.view().name())
                  .collect(Collectors.joining(", ")),
          e);
    }
  }
}
