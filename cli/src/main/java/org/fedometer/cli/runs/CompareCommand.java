package org.fedometer.cli.runs;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.fedometer.analysis.compare.Choices;
import org.fedometer.analysis.compare.CsvProfileComparison;
import org.fedometer.analysis.compare.Gate;
import org.fedometer.analysis.compare.JsonProfileComparison;
import org.fedometer.analysis.compare.Lineup;
import org.fedometer.analysis.compare.ProfileComparison;
import org.fedometer.analysis.compare.TextProfileComparison;
import org.fedometer.analysis.html.HtmlReport;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PageFile;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.experiments.host.BuildInfo;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.profiles.Spelling;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunSummary;
import org.fedometer.store.StoreView;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "compare",
    description = "Compare profiles: which is better, by how much, and why.",
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:done",
      "1:a gate of --fail-if failed",
      "2:bad usage",
      "3:a run or file cannot be read or written"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer compare before after",
      "  fedometer compare triplestores --html triplestores.html --open",
      "  fedometer compare before after --fail-if \"throughput < 0.97\""
    },
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";

  /** More names that differ only in a number would not help. */
  private static final int MAX_SUGGESTIONS = 5;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN|EXPERIMENT|LABEL=RUN,...",
      description =
          "Runs by name or path, or experiments by name. Runs of one profile, dataset and"
              + " load form a group; LABEL=RUN,RUN names a group.")
  private List<String> named = new ArrayList<>();

  @Option(
      names = "--baseline",
      paramLabel = "RUN",
      description = "Baseline: a label or a run (default: that of the experiment, else the first).")
  private String baseline;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "File for a CSV line for each contender and metric; '-' for standard output.")
  private String csv;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "File for a self-contained page with charts; '-' for standard output.")
  private String html;

  @Option(names = "--open", description = "Open the page of --html in a browser.")
  private boolean open;

  @Option(
      names = "--fail-if",
      paramLabel = "CONDITION",
      description =
          "Exit with 1 if a contender meets the condition: 'throughput < 0.97', 'p99.high >"
              + " 1.1', 'mean worse'. Repeatable.")
  private List<String> failIf = new ArrayList<>();

  @Option(
      names = "--threshold",
      paramLabel = "PERCENT",
      defaultValue = "3",
      description = "Smallest relevant difference, in per cent (default: ${DEFAULT-VALUE}).")
  private double thresholdPercent;

  @Option(
      names = "--confidence",
      paramLabel = "PERCENT",
      defaultValue = "95",
      description = "Confidence level of intervals, in per cent (default: ${DEFAULT-VALUE}).")
  private double confidencePercent;

  @Option(
      names = "--resamples",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of bootstrap resamples of a run (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the bootstrap (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--warm-up",
      paramLabel = "auto|none|N",
      converter = WarmUpConverter.class,
      description =
          "Objects to skip at the start of each run: auto (MSER-5), none, or N (default:"
              + " that of the experiment, else auto).")
  private Long warmUp;

  @Option(
      names = "--equal-size",
      description = "Compare only the part of each run at which repositories had the same size.")
  private boolean atEqualSize;

  @Mixin private StoreChoice store;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<Gate> gates = failIf.stream().map(Gate::parse).toList();
    requirePercent("--threshold", thresholdPercent, 0, 3);
    requirePercent("--confidence", confidencePercent, 50, 95);
    Choices choices =
        new Choices(
            thresholdPercent / 100,
            confidencePercent / 100,
            new Resampling(repetitions, seed),
            atEqualSize,
            warmUp);
    StoreView view = store.view();
    requireDifferentFiles();
    PageFile page = PageFile.of(html);
    PageFile.requireFile(page, open);
    Lineup lineup = lineup(view, named);
    ProfileComparison comparison = compared(lineup, choices);
    List<Gate.Result> results = Gate.results(gates, comparison);
    write(comparison, results, page != null && page.isStandardOutput());
    if (page != null) {
      page.write(page(comparison, lineup, results), open, spec.commandLine().getErr());
    }
    PrintWriter err = spec.commandLine().getErr();
    List<Gate.Result> failed = results.stream().filter(Gate.Result::failed).toList();
    for (Gate.Result result : failed) {
      err.println(
          SafeLine.of(
              "fedometer: '%s' fails %s: it %s"
                  .formatted(result.gate().text(), result.contender(), result.found())));
    }
    return failed.isEmpty() ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
  }

  /**
   * Builds the lineup. An unknown name may refer to a run or an experiment, so both are suggested.
   */
  private Lineup lineup(StoreView view, List<String> names) throws NoSuchRunException, IOException {
    try {
      return Lineup.of(view, names, baseline);
    } catch (NoSuchRunException e) {
      List<RunSummary> runs = view.summaries();
      if (runs.isEmpty()
          || UnfinishedJobs.collectorOf(Path.of(e.location()), e.run()).isPresent()) {
        throw e;
      }
      throw new IllegalArgumentException(unknownNameMessage(e, runs), e);
    }
  }

  private String unknownNameMessage(NoSuchRunException e, List<RunSummary> runs) {
    Set<String> experiments =
        runs.stream()
            .map(RunSummary::experiment)
            .filter(Objects::nonNull)
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> known = new ArrayList<>(experiments);
    runs.forEach(run -> known.add(run.name()));
    List<String> similar = Spelling.nearest(e.run(), known);
    return "neither a run nor an experiment in the store "
        + e.location()
        + " is called \""
        + e.run()
        + "\""
        + (similar.isEmpty() || similar.size() > MAX_SUGGESTIONS
            ? (experiments.isEmpty() ? "" : "; experiments are: " + String.join(", ", experiments))
                + "; 'fedometer runs list"
                + store.hint()
                + "' lists the runs"
            : Spelling.suggestion(similar));
  }

  private static void requirePercent(String option, double percent, int min, int example) {
    if (!(percent >= min && percent < 100)) {
      throw new IllegalArgumentException(
          "%s %s: give a percentage from %s to below 100, such as %s"
              .formatted(option, percent, min, example));
    }
  }

  /** Rejects two formats for one destination. */
  private void requireDifferentFiles() {
    Map<Path, String> options = new HashMap<>();
    requireDistinct(options, "--json", json ? STANDARD_OUTPUT : null);
    requireDistinct(options, "--csv", csv);
    requireDistinct(options, "--html", html);
  }

  private static void requireDistinct(Map<Path, String> options, String option, String file) {
    if (file == null) {
      return;
    }
    boolean printed = file.equals(STANDARD_OUTPUT);
    Path path = printed ? Path.of(file) : Path.of(file).toAbsolutePath().normalize();
    String other = options.put(path, option);
    if (other != null) {
      throw new IllegalArgumentException(
          printed
              ? "%s and %s cannot both be printed: name a file for one of them"
                  .formatted(other, option)
              : "%s and %s name the same file: %s".formatted(other, option, file));
    }
  }

  private static String page(ProfileComparison comparison, Lineup lineup, List<Gate.Result> results)
      throws IOException {
    try {
      return HtmlReport.of(comparison, lineup, results, BuildInfo.current().version());
    } catch (QueryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static ProfileComparison compared(Lineup lineup, Choices choices) throws IOException {
    try {
      return ProfileComparison.of(lineup, choices);
    } catch (QueryException e) {
      // Not the user's query: the run cannot be read.
      throw new IOException(e.getMessage(), e);
    }
  }

  private void write(ProfileComparison comparison, List<Gate.Result> results, boolean pagePrinted)
      throws IOException {
    boolean printed = pagePrinted;
    if (json) {
      printed |= write(STANDARD_OUTPUT, JsonProfileComparison.of(comparison, results) + "\n");
    }
    if (csv != null) {
      printed |= write(csv, CsvProfileComparison.of(comparison));
    }
    if (!printed) {
      StandardOutput.styled(TextProfileComparison.of(comparison, Terminal.style()));
    }
  }

  /** Returns whether the text went to standard output. */
  private static boolean write(String file, String text) throws IOException {
    if (file.equals(STANDARD_OUTPUT)) {
      // UTF-8 like JSON, in any locale.
      StandardOutput.json(text);
      return true;
    }
    Files.writeString(Path.of(file), text);
    return false;
  }
}
