package org.fedometer.cli.load;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.fedometer.cli.option.CollectorChoice;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.option.TelemetryOption;
import org.fedometer.cli.profile.ProfileFolder;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.plan.ExperimentFile;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.series.ExperimentForecast;
import org.fedometer.experiments.series.ExperimentJob;
import org.fedometer.experiments.series.ExperimentJson;
import org.fedometer.experiments.series.ExperimentOptions;
import org.fedometer.experiments.series.ExperimentOutcome;
import org.fedometer.experiments.series.ExperimentRow;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "experiment",
    description = "Run the profiles of a file repeatedly, in a fair order.",
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:all runs are complete and ended well",
      "1:runs are missing or ended with errors",
      "2:invalid file, or it conflicts with runs in the store",
      "3:could not start, or no run reached its load",
      "130:interrupted"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer experiment triplestores.yaml --dry-run",
      "  fedometer experiment triplestores.yaml",
      "  fedometer experiment triplestores.yaml --resume"
    },
    mixinStandardHelpOptions = true)
public final class ExperimentCommand implements Callable<Integer> {
  /** Columns to drop first if not all fit; a run's name contains its profile's. */
  private static final List<String> DROP_ORDER =
      List.of("POSITION", "PROFILE", "BLOCK", "SECONDS", "OBJ/S", "STATE");

  @Parameters(index = "0", paramLabel = "FILE", description = "YAML file of the experiment.")
  private Path file;

  @Option(
      names = "--resume",
      description = "Continue an interrupted experiment: make missing and incomplete runs.")
  private boolean resume;

  @Option(
      names = "--dry-run",
      description = "Show the order of runs, their time and disk space; start nothing.")
  private boolean dryRun;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Name of the experiment (default: that of the file). A new name repeats the"
              + " experiment.")
  private String name;

  @Option(
      names = "--no-preflight",
      description = "Skip the checks of disk space and of 'fedometer doctor'.")
  private boolean noPreflight;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private ProfileFolder profiles;
  @Mixin private TelemetryOption telemetry;
  @Mixin private CollectorChoice collector;
  @Mixin private StoreOption store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    ExperimentPlan plan = ExperimentFile.read(file, profiles.profiles());
    if (name != null) {
      plan = plan.withName(name);
    }
    ConsoleProgress progress = ConsoleProgress.forTerminal(false);
    ExperimentJob job = new ExperimentJob(plan, options(), progress);
    return dryRun
        ? forecast(job.forecast())
        : JobRunner.run(job::run, job::interrupt, progress, this::show);
  }

  private ExperimentOptions options() {
    Installation installation = Installation.current();
    return new ExperimentOptions(
        collector.place(store.directory(), installation),
        installation.agentJar(),
        telemetry.interval(),
        resume,
        !noPreflight);
  }

  private int forecast(ExperimentForecast forecast) {
    forecast.notes().forEach(note -> spec.commandLine().getErr().println(SafeLine.of(note)));
    if (json) {
      StandardOutput.json(ExperimentJson.of(forecast));
    } else {
      PrintStream out = StandardOutput.inLocale();
      print(out, forecast.rows());
      out.println(forecast.name() + ": " + forecast.text() + ".");
    }
    return ExitCode.DONE;
  }

  private int show(ExperimentOutcome outcome) throws IOException {
    if (json) {
      StandardOutput.json(ExperimentJson.of(outcome));
    } else {
      print(StandardOutput.inLocale(), outcome.rows());
    }
    PrintWriter err = spec.commandLine().getErr();
    if (!outcome.endReason().isEmpty()) {
      err.println(SafeLine.of(outcome.endReason()));
    }
    if (outcome.missing() > 0) {
      err.println(
          SafeLine.of(
              outcome.missing()
                  + (outcome.missing() == 1 ? " run is" : " runs are")
                  + " missing: '"
                  + resumeCommand()
                  + "' resumes it"));
    } else {
      err.println(
          SafeLine.of(
              "all runs of "
                  + outcome.name()
                  + " are complete: 'fedometer compare "
                  + outcome.name()
                  + collector.hintTo(store.directory())
                  + "' compares the profiles"));
    }
    if (outcome.interrupted()) {
      return ExitCode.INTERRUPTED;
    }
    if (!outcome.begunAny()) {
      return ExitCode.COULD_NOT_START;
    }
    return outcome.isWell() ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
  }

  /** Returns the original command, whose options also apply to the missing runs. */
  String resumeCommand() {
    List<String> originalArguments = spec.root().commandLine().getParseResult().originalArgs();
    return "fedometer "
        + originalArguments.stream().map(ShellWord::of).collect(Collectors.joining(" "))
        + (resume ? "" : " --resume");
  }

  private static void print(PrintStream out, List<ExperimentRow> rows) {
    PlainTable.of(rows)
        .left("RUN", ExperimentRow::run)
        .right("BLOCK", row -> orDash(row.planned().block(), "%d"))
        .right("POSITION", row -> Integer.toString(row.planned().place()))
        .left("STATE", ExperimentRow::state)
        .right("OBJ/S", row -> orDash(row.objectsPerSecond(), "%,.1f"))
        .right("SECONDS", row -> orDash(row.seconds(), "%,.0f"))
        .left("PROFILE", ExperimentRow::profile)
        .print(out, Terminal.knownColumns().orElse(Integer.MAX_VALUE), DROP_ORDER);
  }

  private static String orDash(Number number, String format) {
    return number == null ? "-" : String.format(Locale.ROOT, format, number);
  }
}
