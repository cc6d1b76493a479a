package org.fedometer.cli.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.option.CollectorChoice;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.experiments.ImportJob;
import org.fedometer.experiments.ImportJobOptions;
import org.fedometer.experiments.ImportOutcome;
import org.fedometer.experiments.imported.DurationUnit;
import org.fedometer.experiments.imported.ImportChoices;
import org.fedometer.experiments.imported.ImportFormat;
import org.fedometer.experiments.imported.ImportedMeasurements;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.Spelling;
import org.fedometer.store.RunState;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "import",
    description = "Make a run of another tool's measurements.",
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:done",
      "1:incomplete: the collector was lost, or a disk is full",
      "2:bad usage, or the file has another format",
      "3:file not found, name taken, or collector not reachable",
      "130:interrupted; the run has part of the file"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer runs import --format durations --set triplestore=mulgara times.txt",
      "  fedometer runs import --format jmeter --ingest-label POST results.jtl"
    },
    mixinStandardHelpOptions = true)
public final class RunsImportCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

  @Parameters(
      paramLabel = "FILE",
      description = "File to import, plain or gzip; - for standard input.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      description =
          "Format: durations (one a line), jmeter (CSV), ycsb (raw), k6 (JSON or CSV),"
              + " gatling (text log), hyperfine (JSON).")
  private ImportFormat format;

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      description = "Unit of durations: ns, us, ms or s (default: ms).")
  private DurationUnit unit;

  @Option(
      names = "--resolution",
      paramLabel = "TIME",
      converter = ResolutionConverter.class,
      description = "Resolution of durations, such as 10ms (default: found from the values).")
  private Long resolution;

  @Option(
      names = "--ingest-label",
      paramLabel = "LABEL",
      description =
          "Label of requests that are ingests; not for durations (default: each label is an"
              + " operation).")
  private String ingestLabel;

  @Option(
      names = "--start-time",
      paramLabel = "TIME",
      converter = StartTimeConverter.class,
      description =
          "Start of the first request, such as 2008-05-12T14:03:00Z, for a file without"
              + " times.")
  private Instant started;

  @Option(
      names = "--set",
      paramLabel = "K=V",
      description = "Dimension of the measured profile, such as triplestore=mulgara. Repeatable.")
  private List<String> choices = new ArrayList<>();

  @Option(
      names = "--skip-invalid",
      description = "Skip invalid lines (default: they are an error).")
  private boolean skipInvalid;

  @Option(
      names = "--name",
      paramLabel = "RUN",
      description = "Name of the run (default: time and format).")
  private String name;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private CollectorChoice collector;
  @Mixin private StoreOption store;
  @Spec private CommandSpec spec;

  /** Parses a time with its unit: 500us, 15.6ms. */
  static final class ResolutionConverter implements ITypeConverter<Long> {
    private static final Pattern FORM =
        Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(ns|us|ms|s)");

    @Override
    public Long convert(String text) {
      Matcher form = FORM.matcher(text);
      if (form.matches()) {
        int places =
            switch (form.group(2)) {
              case "ns" -> 0;
              case "us" -> 3;
              case "ms" -> 6;
              default -> 9;
            };
        long nanos = new BigDecimal(form.group(1)).movePointRight(places).longValue();
        if (nanos > 0) {
          return nanos;
        }
      }
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a resolution above 0, such as 500us, 10ms or 15.6ms");
    }
  }

  static final class StartTimeConverter implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeParseException e) {
        throw new IllegalArgumentException(
            "\""
                + text
                + "\" is not a time, such as 2008-05-12T14:03:00Z or 2008-05-12T14:03:00+02:00",
            e);
      }
    }
  }

  @Override
  public Integer call() throws Exception {
    ConsoleProgress progress = ConsoleProgress.forTerminal(false);
    ImportJob job = new ImportJob(options(Installation.current()), progress);
    return JobRunner.run(job::run, job::interrupt, progress, this::show);
  }

  private ImportJobOptions options(Installation installation) {
    return new ImportJobOptions(
        file.equals(STANDARD_INPUT) ? null : Path.of(file),
        new ImportChoices(format, unit, ingestLabel, started, skipInvalid),
        resolution,
        name,
        profileChoices(),
        collector.place(store.directory(), installation));
  }

  private Map<String, String> profileChoices() {
    List<String> dimensions = Arrays.stream(Dimension.values()).map(Dimension::key).toList();
    Map<String, String> all = new LinkedHashMap<>();
    for (String choice : choices) {
      String[] parts = choice.split("=", 2);
      String dimension = parts[0].strip();
      String value = parts.length == 1 ? "" : parts[1].strip();
      if (dimension.isEmpty() || value.isEmpty()) {
        throw new IllegalArgumentException(
            "--set " + choice + ": give a dimension and its choice, such as triplestore=mulgara");
      }
      if (!dimensions.contains(dimension)) {
        throw new IllegalArgumentException(
            "--set "
                + choice
                + ": no dimension is called '"
                + dimension
                + "'"
                + Spelling.suggestionOrAll(dimension, dimensions));
      }
      String previous = all.putIfAbsent(dimension, value);
      if (previous != null) {
        throw new IllegalArgumentException(
            "--set " + choice + ": " + dimension + " is " + previous + " already; give it once");
      }
    }
    all.forEach(this::noteSimilar);
    return all;
  }

  /**
   * Prints a note on similar known values. Measurements from elsewhere may have others, which are
   * accepted.
   */
  private void noteSimilar(String dimension, String value) {
    List<String> known =
        Arrays.stream(Dimension.values())
            .filter(each -> each.key().equals(dimension))
            .flatMap(each -> Profiles.ofUser().choices(each).stream())
            .toList();
    // Versions and sizes always have similar values.
    boolean isWord = value.chars().noneMatch(Character::isDigit);
    List<String> similar = Spelling.nearest(value, known);
    if (isWord && !known.contains(value) && !similar.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              SafeLine.of(
                  "note: --set "
                      + dimension
                      + "="
                      + value
                      + ": no profile here has that choice; it is recorded as given"
                      + Spelling.suggestion(similar)));
    }
  }

  private int show(ImportOutcome outcome) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    err.println(SafeLine.of("run folder: " + outcome.location()));
    if (outcome.state() != RunState.IMPORTED) {
      err.println(
          "the run has at most a part of the file: 'fedometer runs rm "
              + outcome.run()
              + (collector.address() == null
                  ? StoreHint.of(store.directory()) + "' deletes it"
                  : "' deletes it, on the collector's machine"));
    }
    if (outcome.state() == RunState.INTERRUPTED) {
      err.println("fedometer: interrupted");
      return ExitCode.INTERRUPTED;
    }
    if (outcome.failure().isPresent()) {
      StepFailure failure = outcome.failure().get();
      PlainErrors.print(err, failure);
      return PlainErrors.exitCode(failure);
    }
    if (json) {
      StandardOutput.asJson(jsonOf(outcome));
    } else {
      StandardOutput.text(textOf(outcome));
    }
    return ExitCode.DONE;
  }

  private String textOf(ImportOutcome outcome) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %s, %,d of them failed: %s%n",
            outcome.run(),
            NumberFormats.count(outcome.overview().requests(), "request"),
            outcome.overview().failed(),
            ImportedMeasurements.names(outcome.overview())));
    outcome.overview().notes().forEach(note -> text.append("  ").append(note).append('\n'));
    text.append("'fedometer report ")
        .append(outcome.run())
        .append(collector.hintTo(store.directory()))
        .append("' shows it.\n");
    return SafeLine.lines(text.toString());
  }

  private static ObjectNode jsonOf(ImportOutcome outcome) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("schema", 1);
    node.put("run", outcome.run());
    node.put("sha256", outcome.overview().sha256());
    node.put("requests", outcome.overview().requests());
    node.put("failed", outcome.overview().failed());
    ObjectNode operations = node.putObject("operations");
    outcome
        .overview()
        .operations()
        .forEach((name, operation) -> operations.put(name, operation.count()));
    outcome.overview().notes().forEach(node.putArray("notes")::add);
    return node;
  }
}
