package org.fedometer.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.fedometer.analysis.RunReport;
import org.fedometer.experiments.MainJob;
import org.fedometer.experiments.RunOptions;
import org.fedometer.experiments.RunOutcome;
import org.fedometer.experiments.RunState;
import org.fedometer.store.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fedometer run}: the main job. */
@Command(
    name = "run",
    description =
        "Brings up a fresh, real Fedora with the agent in it, ingests a dataset, collects every"
            + " sample, verifies, and shows where the time went.",
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  private static final int CLOSED_LOOP_WORKERS = 4;

  /** As many requests as may be under way, not threads that are busy. */
  private static final int FIXED_RATE_WORKERS = 64;

  @Option(
      names = "--dataset",
      paramLabel = "D",
      defaultValue = "patents",
      description =
          "What to ingest, NAME[:key=value,...] (default: ${DEFAULT-VALUE}). patents makes"
              + " patent-like objects (scale, seed); patents-xml:DIR takes real patent XML; others"
              + " are ndltd, collections, nested, files, container-binary and datastreams.")
  private String dataset;

  @Option(
      names = "--objects",
      paramLabel = "N",
      description =
          "How many objects to ingest (default: all of a dataset that ends, else "
              + RunOptions.STANDARD_OBJECTS
              + ").")
  private Long objects;

  @Option(
      names = "--workers",
      paramLabel = "W",
      description =
          "Concurrent requests (default: "
              + CLOSED_LOOP_WORKERS
              + ", with --rate at most "
              + FIXED_RATE_WORKERS
              + ").")
  private Integer workers;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description =
          "Objects are due at R a second, whatever Fedora does (default: each worker sends its next"
              + " object when it has the answer to the last).")
  private Double ratePerSecond;

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

  @Mixin private SkipBad skipBad;
  @Mixin private OperationOptions operations;
  @Mixin private StackArguments stack;
  @Mixin private StoreOption store;
  @Mixin private OwnStageOptions ownStages;
  @Mixin private ReportOutput output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Distribution distribution = Distribution.current();
    ConsoleProgress progress =
        new ConsoleProgress(System.err, Terminal.interactive(), Terminal.progressColumns());
    MainJob job =
        new MainJob(
            new RunOptions(
                stack.profile(),
                skipBad.addTo(dataset),
                objects,
                workers != null
                    ? workers
                    : ratePerSecond == null ? CLOSED_LOOP_WORKERS : FIXED_RATE_WORKERS,
                ratePerSecond,
                name,
                store.directory(),
                stack.collector().address(),
                stack.collector().access(),
                distribution.backgroundCollector(store.directory()),
                distribution.agentJar(),
                ownStages.agentOptions(distribution.agentJar()),
                telemetryInterval(telemetrySeconds),
                stack.port(),
                keep,
                operations.choice()),
            progress);
    try (CtrlC ignored = CtrlC.callsUntilClosed(job::interrupt)) {
      RunOutcome outcome = job.run();
      progress.endLine();
      boolean reportedWell = showReport(outcome);
      return explain(spec.commandLine().getErr(), outcome, reportedWell);
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    } finally {
      progress.endLine();
    }
  }

  /** Before it is rounded: 0 means never. */
  static Duration telemetryInterval(double seconds) {
    if (seconds != 0 && !(seconds >= 0.1 && seconds <= 3600)) {
      throw new IllegalArgumentException(
          "--telemetry "
              + seconds
              + ": give 0.1 to 3600 seconds from reading to reading, or 0 for none");
    }
    return Duration.ofMillis(Math.round(1000 * seconds));
  }

  /** The report is what a run is for; its verdict covers samples, too, which the job cannot see. */
  private boolean showReport(RunOutcome outcome) throws Exception {
    if (outcome.folder().isEmpty()) {
      return true;
    }
    spec.commandLine().getErr().println("report     reading the run's samples ...");
    RunReport report = RunReport.of(new RunFolder(outcome.folder().get()));
    output.print(report);
    return report.endedWell();
  }

  /** Says where the run is and what went wrong; gives the exit code. */
  static int explain(PrintWriter err, RunOutcome outcome, boolean reportedWell) {
    err.println("run folder: " + outcome.location());
    outcome.keptHome().ifPresent(home -> err.println("Fedora's home is kept: " + home));
    if (outcome.state() == RunState.INTERRUPTED) {
      outcome.failure().ifPresent(failure -> PlainErrors.printInterruption(err, failure));
      return ExitCode.INTERRUPTED;
    }
    if (outcome.failure().isPresent()) {
      PlainErrors.print(err, outcome.failure().get());
      return PlainErrors.exitCode(outcome.failure().get());
    }
    return outcome.state() == RunState.DONE && reportedWell
        ? ExitCode.DONE
        : ExitCode.DONE_WITH_ERRORS;
  }
}
