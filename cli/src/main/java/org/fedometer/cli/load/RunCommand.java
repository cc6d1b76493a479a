package org.fedometer.cli.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.fedometer.cli.dataset.ContentChoice;
import org.fedometer.cli.dataset.SkipInvalidOption;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.IntervalConverter;
import org.fedometer.cli.option.OpenOption;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.ReportOutput;
import org.fedometer.experiments.LoadJob;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.record.CompleteRunException;
import org.fedometer.experiments.record.ResumableRun;
import org.fedometer.profiles.Profile;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description = {
      "Start a Fedora, load it, and report where the time went.",
      "The Fedora is fresh and has the agent; all samples are collected, and the load is"
          + " verified."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:all ingested and verified; no sample lost",
      "1:objects are missing or unrecoverable, or samples are lost",
      "2:bad usage",
      "3:could not start",
      "130:interrupted, also by 'load stop'"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer run",
      "  fedometer run --profile mulgara-mysql --set gc=parallel --set heap=2g",
      "  fedometer run --dataset patents-xml:DIR --objects 500 --workers 8"
    },
    mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
  private static final String MAX_RESTARTS = "--max-restarts";

  /** Options that do not make it a different run. */
  private static final Set<String> ALLOWED_WITH_RESUME =
      Set.of(
          ResumedArguments.OPTION,
          "--store",
          "--workers",
          "--rate",
          "--duration",
          "--min-free-disk",
          MAX_RESTARTS,
          "--confirm-interval",
          "--collector",
          "--token-file",
          "--tls",
          "--tls-ca",
          "--tls-certificate",
          "--tls-key",
          "--keep-home",
          "--json",
          "--html",
          "--open");

  @Option(
      names = "--dataset",
      paramLabel = "DATASET",
      completionCandidates = CompletionValues.DatasetNames.class,
      defaultValue = "patents",
      description =
          "Dataset NAME[:key=value,...]: generated (patents), patent XML (patents-xml:DIR),"
              + " FOXML (foxml:DIR), ...; see 'fedometer dataset list' (default:"
              + " ${DEFAULT-VALUE}).")
  private String dataset;

  @Option(
      names = MAX_RESTARTS,
      paramLabel = "N",
      description =
          "Restarts of Fedora or its database after they have ended, per run (default: "
              + Endurance.STANDARD_RESTARTS
              + "; 0 in a mix or in steps).")
  private Integer maxRestarts;

  @Option(
      names = "--confirm-interval",
      paramLabel = "TIME",
      converter = IntervalConverter.class,
      defaultValue = "10m",
      description =
          "Interval of flushes of the triplestore; after a crash, only objects since the"
              + " last one are checked. 0s: never (default: ${DEFAULT-VALUE}; none in a mix).")
  private Duration confirmEvery;

  @Option(
      names = ResumedArguments.OPTION,
      paramLabel = "RUN",
      description =
          "Resume a run that ended early, with its options. Only load, limits and output"
              + " can be given anew.")
  private String resume;

  @Mixin private LoadOptions load;
  @Mixin private SkipInvalidOption skipInvalid;
  @Mixin private ContentChoice content;
  @Mixin private OperationOptions operations;
  @Mixin private VerifyOptions verification;
  @Mixin private FreshRunOptions runOptions;
  @Mixin private PreflightOption preflight;
  @Mixin private OpenOption open;
  @Mixin private ReportOutput output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<String> originalArguments = spec.commandLine().getParent().getParseResult().originalArgs();
    List<String> commandArguments =
        originalArguments.subList(
            originalArguments.indexOf(spec.name()) + 1, originalArguments.size());
    PrintWriter err = spec.commandLine().getErr();
    if (resume == null) {
      return execute(err, commandArguments, null);
    }
    rejectOtherOptions(spec.commandLine().getParseResult());
    ResumableRun run;
    try {
      run = ResumableRun.find(runOptions.storeFolder(), resume);
    } catch (CompleteRunException e) {
      return new JobOutcomePrinter(err, output).showComplete(e, runOptions.storeFolder());
    }
    List<String> all = ResumedArguments.of(run.record(), commandArguments);
    RunCommand resumed = new RunCommand();
    ResumedArguments.parse(resumed, all);
    ResumedArguments.noteChangedDirectory(run.record(), err);
    return resumed.execute(err, all, run);
  }

  private static void rejectOtherOptions(CommandLine.ParseResult parsed) {
    for (OptionSpec option : parsed.matchedOptions()) {
      if (!ALLOWED_WITH_RESUME.contains(option.longestName())) {
        throw new IllegalArgumentException(
            option.longestName()
                + ": a resumed run keeps its options; only these can be given with --resume: "
                + String.join(", ", new TreeSet<>(ALLOWED_WITH_RESUME)));
      }
    }
  }

  private int execute(PrintWriter err, List<String> arguments, ResumableRun earlier)
      throws Exception {
    Profile profile = earlier == null ? runOptions.profile() : null;
    Installation installation = Installation.current();
    output.page();
    ConsoleProgress progress = open.progress();
    LoadJob job =
        LoadJob.ofRun(
            runOptions.options(
                installation, profile, load(), new Endurance(restarts(), confirmEvery, arguments)),
            earlier,
            progress);
    if (preflight.isSkipped()) {
      job.leaveOutPreflight();
    }
    return JobRunner.run(
        job::run, job::interrupt, progress, new JobOutcomePrinter(err, output)::show);
  }

  private LoadSpec load() throws IOException {
    return new LoadSpec(
        skipInvalid.addTo(dataset),
        load.plan(),
        content.options(),
        operations.choice(),
        verification.choice());
  }

  /** Returns 0 if a run ends with its Fedora. */
  private int restarts() throws IOException {
    if (maxRestarts != null) {
      return maxRestarts;
    }
    return load().isResumable() ? Endurance.STANDARD_RESTARTS : 0;
  }
}
