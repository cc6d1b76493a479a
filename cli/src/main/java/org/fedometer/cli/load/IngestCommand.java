package org.fedometer.cli.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.fedometer.cli.dataset.ContentChoice;
import org.fedometer.cli.dataset.SkipInvalidOption;
import org.fedometer.cli.option.CollectorChoice;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.option.DurationConverter;
import org.fedometer.cli.option.FedoraLoginOptions;
import org.fedometer.cli.option.FedoraUrlConverter;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.IntervalConverter;
import org.fedometer.cli.option.OpenOption;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.ReportOutput;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.IngestJobOptions;
import org.fedometer.experiments.LoadJob;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.record.CompleteRunException;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.UnfinishedJobs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "ingest",
    description = {
      "Load a dataset into a running Fedora.",
      "A load can take days; --resume continues it after any crash."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:all ingested and verified",
      "1:objects are missing or unrecoverable, or samples are lost",
      "2:bad usage",
      "3:Fedora or the collector is not reachable, or a check of the doctor failed",
      "130:interrupted, also by 'load stop'"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer ingest --target http://HOST:8080/fedora --password-file FILE",
      "  fedometer ingest --target http://HOST:8080/fedora --objects 50000 --name big",
      "  fedometer ingest --resume big"
    },
    mixinStandardHelpOptions = true)
public final class IngestCommand implements Callable<Integer> {
  /** Options of a resume that ask for no other load or verification. */
  private static final Set<String> CHANGES_NO_LOAD =
      Set.of(
          ResumedArguments.OPTION,
          "--store",
          "--name",
          "--shard",
          "--join",
          "--target",
          "--user",
          "--password-file",
          "--fedora-ca",
          "--collector",
          "--token-file",
          "--tls",
          "--tls-ca",
          "--tls-certificate",
          "--tls-key",
          "--no-preflight",
          "--json",
          "--html",
          "--open");

  @Option(
      names = "--target",
      paramLabel = "URL",
      converter = FedoraUrlConverter.class,
      description = "Fedora's address, such as http://127.0.0.1:8080/fedora.")
  private URI target;

  @Mixin private FedoraLoginOptions login;

  @Option(
      names = "--dataset",
      paramLabel = "DATASET",
      completionCandidates = CompletionValues.DatasetNames.class,
      defaultValue = "patents",
      description =
          "Dataset NAME[:key=value,...]; see 'fedometer dataset list' (default:"
              + " ${DEFAULT-VALUE}).")
  private String dataset;

  @Mixin private LoadOptions load;

  @Option(
      names = "--shard",
      paramLabel = "I/K",
      converter = ShardConverter.class,
      description =
          "Part of the dataset for this driver: 3/8 is every eighth object, from the third."
              + " Needs the same --name for all drivers.")
  private Shard shard = Shard.WHOLE;

  @Option(
      names = "--join",
      description = "Send requests to the existing run --name, such as the run of an agent.")
  private boolean join;

  @Option(
      names = "--namespace",
      paramLabel = "NS",
      defaultValue = DatasetOptions.STANDARD_NAMESPACE,
      description = "Namespace of the PIDs; Fedora should retain it (default: ${DEFAULT-VALUE}).")
  private String pidNamespace;

  @Option(
      names = "--pid-form",
      paramLabel = "FORM",
      defaultValue = "named",
      description = "Form of PIDs: named or numeric (default: ${DEFAULT-VALUE}).")
  private PidForm pidForm;

  @Option(
      names = "--max-literal",
      paramLabel = "BYTES",
      description =
          "Maximum length of a literal in the triplestore: 2692 for MPTStore on PostgreSQL,"
              + " 255 on MySQL, 512 on Derby (default: no limit, as for Mulgara).")
  private Integer literalLimitBytes;

  @Option(
      names = "--max-errors",
      paramLabel = "N",
      description = "Stop after more than N failed objects (default: no limit).")
  private Long maxErrors;

  @Option(
      names = "--max-outage",
      paramLabel = "TIME",
      defaultValue = "24h",
      converter = DurationConverter.class,
      description = "Stop if Fedora is unreachable for longer (default: ${DEFAULT-VALUE}).")
  private Duration maxOutage;

  @Option(
      names = "--confirm-interval",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = IntervalConverter.class,
      description =
          "Interval of flushes of the triplestore; after a crash, only objects since the"
              + " last one are checked. 0s: never (default: ${DEFAULT-VALUE}).")
  private Duration confirmEvery;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the run (default: time and dataset).")
  private String name;

  @Option(
      names = ResumedArguments.OPTION,
      paramLabel = "RUN",
      description =
          "Resume a run that ended early, with its options; options given now replace them.")
  private String resume;

  @Mixin private VerifyOptions verification;
  @Mixin private SkipInvalidOption skipInvalid;
  @Mixin private ContentChoice content;
  @Mixin private OperationOptions operations;
  @Mixin private CollectorChoice collector;
  @Mixin private StoreOption store;
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
    try {
      return resume(err, commandArguments);
    } catch (CompleteRunException e) {
      return new JobOutcomePrinter(err, output).showComplete(e, store.directory());
    }
  }

  private int resume(PrintWriter err, List<String> commandArguments) throws Exception {
    JobRecord record = UnfinishedJobs.find(store.directory(), resume);
    if (record.stack() != null) {
      throw new IllegalArgumentException(
          resume
              + " has its own Fedora: resume it with 'fedometer "
              + record.command()
              + " "
              + resume
              + StoreHint.of(store.directory())
              + "'");
    }
    if (name != null && !name.equals(record.runName())) {
      throw new IllegalArgumentException(
          "--name "
              + name
              + ": "
              + resume
              + " is resumed as "
              + record.runName()
              + "; leave out --name");
    }
    List<String> all = ResumedArguments.of(record, commandArguments);
    IngestCommand resumed = new IngestCommand();
    ResumedArguments.parse(resumed, all);
    resumed.requirePart(resume, record);
    if (!asksForMore() && !resumed.load.plan().ends()) {
      UnfinishedJobs.requireIncomplete(store.directory(), resume, record);
    }
    ResumedArguments.noteChangedDirectory(record, err);
    return resumed.execute(err, all, record);
  }

  /** Returns whether options given now may leave something to do for a run that has ended well. */
  private boolean asksForMore() {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .anyMatch(option -> !CHANGES_NO_LOAD.contains(option.longestName()));
  }

  /** Requires the same part, whose journal covers only its own objects. */
  private void requirePart(String part, JobRecord record) {
    String now = RunName.ofPart(record.runName(), shard);
    if (!now.equals(part)) {
      throw new IllegalArgumentException(
          "--shard " + shard + ": " + part + " is another part; give the shard of its first start");
    }
  }

  private int execute(PrintWriter err, List<String> arguments, JobRecord earlier) throws Exception {
    if (target == null) {
      throw new IllegalArgumentException(
          "--target is missing: give Fedora's address, such as http://127.0.0.1:8080/fedora, or "
              + ResumedArguments.OPTION
              + " RUN");
    }
    output.page();
    ConsoleProgress progress = open.progress();
    LoadJob job = LoadJob.ofIngest(options(Installation.current(), arguments), earlier, progress);
    if (preflight.isSkipped()) {
      job.leaveOutPreflight();
    }
    JobOutcomePrinter printer = new JobOutcomePrinter(err, output);
    return JobRunner.run(
        job::run,
        job::interrupt,
        progress,
        outcome -> shard.isPart() ? printer.showPart(outcome) : printer.show(outcome));
  }

  private IngestJobOptions options(Installation installation, List<String> arguments)
      throws IOException {
    return new IngestJobOptions(
        login.at(target),
        new DatasetOptions(
            pidNamespace,
            pidForm,
            literalLimitBytes == null ? DatasetOptions.UNLIMITED : literalLimitBytes),
        new LoadSpec(
            skipInvalid.addTo(dataset),
            load.plan(),
            content.options(),
            operations.choice(),
            verification.choice()),
        shard,
        maxErrors == null ? Long.MAX_VALUE : maxErrors,
        maxOutage,
        confirmEvery,
        name,
        join || shard.isPart(),
        collector.place(store.directory(), installation),
        arguments);
  }
}
