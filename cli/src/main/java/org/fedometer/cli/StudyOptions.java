package org.fedometer.cli;

import java.io.PrintStream;
import java.util.function.Consumer;
import org.fedometer.experiments.MainJob;
import org.fedometer.experiments.OperationsChoice;
import org.fedometer.experiments.RunOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a user can say of a study's run, whatever is studied. */
final class StudyOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the run (default: time, profile and dataset).")
  private String name;

  @Option(
      names = "--telemetry",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "How often processor, memory and disk of Fedora, database and driver are read, 0 for never"
              + " (default: ${DEFAULT-VALUE}).")
  private double telemetrySeconds;

  @Option(names = "--keep", description = "Keep Fedora's home folder after the run.")
  private boolean keep;

  @Option(names = "--json", description = "Print the figures as one JSON object.")
  private boolean json;

  @Mixin private StackArguments stack;
  @Mixin private StoreOption store;
  @Mixin private OwnStageOptions ownStages;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  boolean isJson() {
    return json;
  }

  /** Text goes there. */
  static PrintStream out() {
    return new PrintStream(System.out, true, Terminal.outputCharset());
  }

  /**
   * Conducts the run.
   *
   * @param figures shows what was measured, once the run has ended
   * @return the exit code
   */
  int run(String dataset, int workers, OperationsChoice study, Consumer<MainJob> figures)
      throws Exception {
    Distribution distribution = Distribution.current();
    ConsoleProgress progress = ConsoleProgress.here(false);
    MainJob job =
        new MainJob(
            RunOptions.builder(
                    stack.profile(),
                    dataset,
                    workers,
                    stack.collector().place(store.directory(), distribution),
                    distribution.agentJar())
                .name(name)
                .agentOptions(ownStages.agentOptions(distribution.agentJar()))
                .telemetryInterval(RunCommand.telemetryInterval(telemetrySeconds))
                .httpPort(stack.port())
                .keep(keep)
                .operations(study)
                .build(),
            null,
            progress);
    return ConductedJob.run(
        job::run,
        job::interrupt,
        progress,
        outcome -> {
          figures.accept(job);
          return JobEnding.explain(spec.commandLine().getErr(), outcome, true);
        });
  }
}
