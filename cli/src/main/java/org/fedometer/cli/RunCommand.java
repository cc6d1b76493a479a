package org.fedometer.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.fedometer.experiments.MainJob;
import org.fedometer.experiments.RunOptions;
import org.fedometer.experiments.RunOutcome;
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
      names = "--no-preflight",
      description = "Begin whatever 'fedometer doctor' would say of it.")
  private boolean noPreflight;

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

  @Mixin private LoadOptions load;
  @Mixin private SkipBad skipBad;
  @Mixin private ContentChoice content;
  @Mixin private OperationOptions operations;
  @Mixin private VerifyOptions verification;
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
                load.objects(),
                load.workers(),
                load.ratePerSecond(),
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
                load.plan(),
                content.options(),
                operations.choice(),
                verification.choice()),
            progress);
    if (noPreflight) {
      job.leaveOutPreflight();
    }
    try (CtrlC ignored = CtrlC.callsUntilClosed(job::interrupt)) {
      RunOutcome outcome = job.run();
      progress.endLine();
      return new JobEnding(spec.commandLine().getErr(), output).show(outcome);
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
}
