package org.fedometer.cli.load;

import java.util.function.Consumer;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.experiments.LoadJob;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.load.OperationsChoice;
import org.fedometer.profiles.Profile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of any study's run, and its execution. */
final class StudyOptions {
  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private FreshRunOptions runOptions;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  boolean isJson() {
    return json;
  }

  /**
   * @param printer prints the results once the run has ended
   * @return the exit code
   */
  int run(String dataset, int workers, OperationsChoice study, Consumer<LoadJob> printer)
      throws Exception {
    Profile profile = runOptions.profile();
    Installation installation = Installation.current();
    ConsoleProgress progress = ConsoleProgress.forTerminal(false);
    LoadJob job =
        LoadJob.ofRun(
            runOptions.options(
                installation,
                profile,
                LoadSpec.of(dataset, LoadPlan.of(workers), study),
                Endurance.NONE),
            null,
            progress);
    return JobRunner.run(
        job::run,
        job::interrupt,
        progress,
        outcome -> {
          printer.accept(job);
          return JobOutcomePrinter.printOutcome(spec.commandLine().getErr(), outcome, true);
        });
  }
}
