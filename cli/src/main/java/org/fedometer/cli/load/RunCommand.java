package org.fedometer.cli.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.fedometer.cli.dataset.ContentChoice;
import org.fedometer.cli.dataset.SkipBad;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.OfferedValues;
import org.fedometer.cli.option.OpenOption;
import org.fedometer.cli.option.TimeOrNever;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.ReportOutput;
import org.fedometer.experiments.LoadJob;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadSpec;
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
      "0:all is in and verified, and no sample is lost",
      "1:something is missing or stuck, or samples are lost",
      "2:bad usage",
      "3:it could not start",
      "130:interrupted, by 'fedometer load stop', too"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer run",
      "  fedometer run --profile mulgara-mysql --set gc=parallel --set heap=2g",
      "  fedometer run --dataset patents-xml:DIR --objects 500 --workers 8"
    },
    mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
  private static final String MOST_RESTARTS = "--most-restarts";

  /** What makes no other run of it. */
  private static final Set<String> BESIDES_RESUME =
      Set.of(
          ResumedArguments.OPTION,
          "--store",
          "--workers",
          "--rate",
          "--for",
          "--until-disk-left",
          MOST_RESTARTS,
          "--confirm-every",
          "--collector",
          "--token-file",
          "--tls",
          "--tls-ca",
          "--tls-certificate",
          "--tls-key",
          "--keep",
          "--json",
          "--html",
          "--open");

  @Option(
      names = "--dataset",
      paramLabel = "D",
      completionCandidates = OfferedValues.DatasetNames.class,
      defaultValue = "patents",
      description =
          "What to ingest, NAME[:key=value,...] (default: ${DEFAULT-VALUE}). patents makes"
              + " patent-like objects (scale, seed); patents-xml:DIR takes real patent XML;"
              + " foxml:DIR sends your own FOXML. 'fedometer dataset list' lists all, with their"
              + " parameters.")
  private String dataset;

  @Option(
      names = MOST_RESTARTS,
      paramLabel = "N",
      description =
          "How often Fedora and its database are started again when the process of one of them has"
              + " ended; 0: the run ends then (default: "
              + Endurance.STANDARD_RESTARTS
              + "; a mix or a load in steps ends in any case).")
  private Integer mostRestarts;

  @Option(
      names = "--confirm-every",
      paramLabel = "TIME",
      converter = TimeOrNever.class,
      defaultValue = "10m",
      description =
          "How often Fedora is asked to flush its triples, so that after a crash only what came"
              + " since has to be looked at; 0s for never; not in a mix (default: ${DEFAULT-VALUE}).")
  private Duration confirmEvery;

  @Option(
      names = ResumedArguments.OPTION,
      paramLabel = "RUN",
      description =
          "Go on with a run that ended early, with the options that it had. Besides, only how much"
              + " is sent at once and until when, and what does not concern the run itself, can be"
              + " given.")
  private String resume;

  @Mixin private LoadOptions load;
  @Mixin private SkipBad skipBad;
  @Mixin private ContentChoice content;
  @Mixin private OperationOptions operations;
  @Mixin private VerifyOptions verification;
  @Mixin private FreshRunOptions fresh;
  @Mixin private PreflightOption preflight;
  @Mixin private OpenOption open;
  @Mixin private ReportOutput output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<String> given = spec.commandLine().getParent().getParseResult().originalArgs();
    List<String> own = given.subList(given.indexOf(spec.name()) + 1, given.size());
    PrintWriter err = spec.commandLine().getErr();
    if (resume == null) {
      return conduct(err, own, null);
    }
    refuseOthers(spec.commandLine().getParseResult());
    ResumableRun run = ResumableRun.find(fresh.storeFolder(), resume);
    List<String> all = ResumedArguments.of(run.record(), own);
    RunCommand again = new RunCommand();
    ResumedArguments.parse(again, all);
    ResumedArguments.tellFolder(run.record(), err);
    return again.conduct(err, all, run);
  }

  private static void refuseOthers(CommandLine.ParseResult parsed) {
    for (OptionSpec option : parsed.matchedOptions()) {
      if (!BESIDES_RESUME.contains(option.longestName())) {
        throw new IllegalArgumentException(
            option.longestName()
                + ": a run goes on as it was begun; besides --resume there can be "
                + String.join(", ", new TreeSet<>(BESIDES_RESUME)));
      }
    }
  }

  private int conduct(PrintWriter err, List<String> arguments, ResumableRun earlier)
      throws Exception {
    Profile profile = earlier == null ? fresh.profile() : null;
    Installation installation = Installation.current();
    output.page();
    ConsoleProgress progress = open.progress();
    LoadJob job =
        LoadJob.ofRun(
            fresh.options(
                installation, profile, load(), new Endurance(restarts(), confirmEvery, arguments)),
            earlier,
            progress);
    if (preflight.isLeftOut()) {
      job.leaveOutPreflight();
    }
    return ConductedJob.run(job::run, job::interrupt, progress, new JobEnding(err, output)::show);
  }

  private LoadSpec load() throws IOException {
    return new LoadSpec(
        skipBad.addTo(dataset),
        load.plan(),
        content.options(),
        operations.choice(),
        verification.choice());
  }

  /** None where a run ends with its Fedora. */
  private int restarts() throws IOException {
    if (mostRestarts != null) {
      return mostRestarts;
    }
    return load().canGoOn() ? Endurance.STANDARD_RESTARTS : 0;
  }
}
