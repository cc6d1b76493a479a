package org.fedometer.analysis.compare;

import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;
import static org.fedometer.analysis.section.Cell.EMPTY;
import static org.fedometer.analysis.section.Table.ALWAYS;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.EnvironmentDifference.Difference;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.report.ReportSummary;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.statistics.Bounds;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.store.RunDocument;

/**
 * Creates the tables of a {@link ProfileComparison}. In CSV, times are in milliseconds, those of
 * stages and slopes in microseconds. Pure.
 */
public final class ComparisonTables {
  private static final double NANOS_A_MILLI = 1e6;

  /** Configurations may differ in any number of lines; the JSON has all of them. */
  private static final int MAX_VALUES = 40;

  private static final int MAX_DIFFERENCES = 400;
  private static final int MAX_LETTERS = 1_000;

  private static final String FEDOMETER = "fedometer";
  private static final String COMMIT = "fedometer.gitCommit";

  private ComparisonTables() {}

  public static Table<Gate.Result> gates(List<Gate.Result> results) {
    return new Table<Gate.Result>("gates", "Gates")
        .text("fails if", result -> result.gate().text())
        .text("profile", Gate.Result::contender)
        .cell(
            "",
            result ->
                result.failed()
                    ? Cell.text("✗ failed").styled("bad")
                    : Cell.text("✓ passed").styled("good"))
        .text("found", result -> "it " + result.found())
        .rows(results);
  }

  /**
   * @param ofResponse whether of response times; a terminal has all times in one table
   */
  public record Ratio(Contender contender, RatioEstimate estimate, boolean ofResponse) {

    /** Returns ratios of service times, or of response times, which have no throughput. */
    static List<Ratio> of(Contender contender, boolean ofResponse) {
      return (ofResponse ? contender.response() : contender.service())
          .stream()
              .filter(estimate -> !ofResponse || estimate.metric() != Metric.THROUGHPUT)
              .map(estimate -> new Ratio(contender, estimate, ofResponse))
              .toList();
    }

    private Cell typical(List<MeasuredRun> runs) {
      OptionalDouble typical =
          Sides.typical(runs, run -> statistics(run, ofResponse).value(estimate.metric()));
      return typical.isEmpty() ? Cell.UNKNOWN : figure(estimate.metric(), typical.getAsDouble());
    }

    private String interval() {
      return ComparisonText.ratio(estimate.low()) + " to " + ComparisonText.ratio(estimate.high());
    }
  }

  public static Table<Ratio> ratios(
      ProfileComparison comparison, Contender contender, boolean ofResponse) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    String sure = ComparisonSummary.percent(comparison.choices().confidence());
    return new Table<Ratio>(
            (ofResponse ? "response-" : "ratios-") + b,
            "%s of %s to %s with intervals and verdicts"
                .formatted(ofResponse ? "Ratios of response times" : "Ratios", b, a))
        .text("", ALWAYS, row -> ComparisonText.metric(row.estimate().metric(), row.ofResponse()))
        .number(a, 2, row -> row.typical(contender.sides().baseline()))
        .number(b, 2, row -> row.typical(contender.sides().contender()))
        .number(b + "/" + a, ALWAYS, row -> ratio(row.estimate().ratio()))
        .number(sure + " from", row -> ratio(row.estimate().low()))
        .number("to", row -> ratio(row.estimate().high()))
        .terminal(sure + " interval", ALWAYS, true, Ratio::interval)
        .cell("verdict", ALWAYS, row -> ComparisonText.verdict(row.estimate().verdict()))
        .headed("verdict", Paint.BOLD)
        .number("p", row -> probability(row.estimate().pValue()))
        .number("p, of all", row -> probability(row.estimate().adjustedPValue()))
        .rows(Ratio.of(contender, ofResponse));
  }

  private static RunStatistics statistics(MeasuredRun run, boolean ofResponse) {
    return (ofResponse ? run.part().response() : run.part().service()).statistics();
  }

  private static Cell ratio(double ratio) {
    return Cell.number(ComparisonText.ratio(ratio), ratio);
  }

  private static Cell probability(double value) {
    return Cell.number(value < 0.001 ? "<0.001" : String.format(Locale.ROOT, "%.3f", value), value);
  }

  private static Cell figure(Metric metric, double value) {
    return Cell.number(
        ComparisonText.figure(metric, value),
        metric == Metric.THROUGHPUT ? value : value / NANOS_A_MILLI);
  }

  /** A run and its profile's letter. */
  public record Lettered(String letter, MeasuredRun run) {

    private Cell figure(Metric metric, boolean ofResponse) {
      return run.part() == null || (ofResponse && run.part().response() == null)
          ? Cell.UNKNOWN
          : ComparisonTables.figure(metric, statistics(run, ofResponse).value(metric));
    }
  }

  private static List<Lettered> lettered(ProfileComparison comparison) {
    return comparison.profiles().stream()
        .flatMap(profile -> profile.runs().stream().map(run -> new Lettered(profile.letter(), run)))
        .toList();
  }

  /**
   * @param shortened shortens a run's name for a terminal
   */
  public static Table<Lettered> runs(
      ProfileComparison comparison, UnaryOperator<String> shortened) {
    List<Lettered> runs = lettered(comparison);
    boolean responses =
        runs.stream()
            .anyMatch(row -> row.run().part() != null && row.run().part().response() != null);
    Table<Lettered> table =
        new Table<Lettered>("runs", "Runs and their steady state")
            .terminal("", ALWAYS, false, Lettered::letter)
            .headed("", Paint.BOLD)
            .cell(
                "run",
                ALWAYS,
                row -> Cell.text(row.run().name()).inTerminal(shortened.apply(row.run().name())))
            .text("profile", Lettered::letter)
            .count("objects", 3, row -> row.run().objects())
            .number("measured from", 4, row -> measuredFrom(row.run()))
            .headed("measured")
            .number("objects/s", 5, row -> row.figure(Metric.THROUGHPUT, false));
    for (Metric metric : List.of(Metric.MEAN, Metric.P50, Metric.P95, Metric.P99)) {
      table.number(metric.jsonName(), row -> row.figure(metric, false));
    }
    if (responses) {
      for (Metric metric : List.of(Metric.P50, Metric.P95, Metric.P99)) {
        table.number("response " + metric.jsonName(), row -> row.figure(metric, true));
      }
    }
    return table
        .number(
            "with flush",
            2,
            row -> orDash(row.run().objectsPerSecondWithDrain(), NumberFormats::rate))
        .text("steady state", 6, row -> ComparisonSummary.steadyState(row.run()))
        .sortable()
        .rows(runs);
  }

  private static Cell measuredFrom(MeasuredRun run) {
    return run.part() == null
        ? Cell.UNKNOWN
        : Cell.count(run.part().from()).inTerminal("from " + count(run.part().from()));
  }

  /**
   * @param shown the contender's stages to include
   */
  public static Table<StageDifference> stages(Contender contender, List<StageDifference> shown) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    return new Table<StageDifference>(
            "stages-" + b,
            "Self time per object of %s and %s in each stage, largest differences first"
                .formatted(a, b))
        .cell(
            "stage",
            ALWAYS,
            stage ->
                Cell.text(stage.stage()).inTerminal(stage.stage() + (stage.outside() ? " *" : "")))
        .number(a, 4, stage -> Cell.micros(stage.baselineNanos()))
        .number(b, 4, stage -> Cell.micros(stage.contenderNanos()))
        .number(
            b + "−" + a,
            ALWAYS,
            stage ->
                Cell.signedMicros(stage.differenceNanos())
                    .styled(!stage.isClear() ? null : stage.differenceNanos() < 0 ? "good" : "bad"))
        .headed(b + "-" + a)
        .number("from", stage -> bound(stage, Bounds::low))
        .number("to", stage -> bound(stage, Bounds::high))
        .terminal("+/-", ALWAYS, true, ComparisonTables::halfWidth)
        .number(a + " share", 2, stage -> orDash(stage.baselineShare(), NumberFormats::share))
        .number(b + " share", 2, stage -> orDash(stage.contenderShare(), NumberFormats::share))
        .text("", stage -> stage.outside() ? "outside" : "")
        .sortable()
        .tall()
        .rows(shown);
  }

  private static String halfWidth(StageDifference stage) {
    Bounds bounds = stage.bounds();
    return bounds == null ? "?" : duration((bounds.high() - bounds.low()) / 2);
  }

  private static Cell bound(StageDifference stage, ToDoubleFunction<Bounds> bound) {
    return stage.bounds() == null
        ? Cell.text("?")
        : Cell.signedMicros(bound.applyAsDouble(stage.bounds()));
  }

  public static Table<ResourceComparison.Line> resources(Contender contender) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    return new Table<ResourceComparison.Line>(
            "resources-" + b,
            "Resources of %s and %s; CSV in nanoseconds and bytes".formatted(a, b))
        .text("", ALWAYS, ResourceComparison.Line::name)
        .number(a, ALWAYS, line -> orDash(line.baseline(), line.unit()))
        .number(b, ALWAYS, line -> orDash(line.contender(), line.unit()))
        .number(b + "/" + a, 1, line -> orDash(line.ratio(), ComparisonText::ratio))
        .rows(ResourceComparison.of(contender));
  }

  private static Cell orDash(Double value, DoubleFunction<String> unit) {
    return value == null ? Cell.UNKNOWN : Cell.number(unit.apply(value), value);
  }

  private record Limit(MeasuredProfile profile, String limit) {}

  public static Table<?> limits(ProfileComparison comparison) {
    Table<Limit> table =
        new Table<Limit>("limits", "Limiting resource")
            .text("profile", row -> row.profile().letter() + "  " + row.profile().label())
            .prose("limit", Limit::limit);
    for (MeasuredProfile profile : comparison.profiles()) {
      List<String> limits = ComparisonText.limits(profile);
      for (String limit : limits.isEmpty() ? List.of("–") : limits) {
        table.row(new Limit(profile, limit));
      }
    }
    return table;
  }

  private record Pace(Lettered run, List<Cell> cells) {
    Pace(Lettered run, Cell number, Cell what, Cell at, Cell after, Cell from, Cell to, Cell then) {
      this(run, List.of(number, what, at, after, from, to, then));
    }

    Pace(Lettered run, String what, Cell at) {
      this(run, EMPTY, Cell.text(what), at, EMPTY, EMPTY, EMPTY, EMPTY);
    }
  }

  /** Lists ends of warm-ups and changes of pace; numbers of changes match the charts. */
  public static Table<?> pace(ProfileComparison comparison) {
    Table<Pace> table =
        new Table<Pace>("pace", "Warm-up and changes of pace")
            .number("no.", row -> row.cells().get(0))
            .text("run", row -> row.run().run().name())
            .text("profile", row -> row.run().letter())
            .cell("what", row -> row.cells().get(1))
            .number("at object", row -> row.cells().get(2))
            .number("after", row -> row.cells().get(3))
            .number("from", row -> row.cells().get(4))
            .number("to", row -> row.cells().get(5))
            .cell("what happened then", row -> row.cells().get(6))
            .tall();
    int number = 0;
    for (Lettered lettered : lettered(comparison)) {
      MeasuredRun run = lettered.run();
      if (run.steadyState() == null) {
        continue;
      }
      long warm = run.part() == null ? 0 : run.part().from();
      boolean never = run.steadyState().state() == SteadyState.State.NEVER_STEADY;
      String first = never ? "never settled" : "measured from the first";
      table.row(
          warm > 0
              ? new Pace(lettered, "measured from", Cell.count(warm))
              : new Pace(lettered, first, EMPTY));
      String drift = ComparisonText.drift(run);
      if (drift != null) {
        Cell what = Cell.text("drifts").styled("warning");
        Cell from = Cell.millis(run.steadyState().slope().fromNanos());
        Cell to = Cell.millis(run.steadyState().slope().toNanos());
        Cell then = Cell.text(drift).styled("text");
        table.row(new Pace(lettered, EMPTY, what, EMPTY, EMPTY, from, to, then));
      }
      for (LabelledChange change : run.changes()) {
        number++;
        table.row(
            new Pace(
                lettered,
                Cell.number(Integer.toString(number), number),
                Cell.text("change of pace").styled("warning"),
                Cell.count(change.change().request()),
                Cell.elapsed(change.afterNanos() / 1e9),
                Cell.millis(change.change().beforeNanos()),
                Cell.millis(change.change().afterNanos()),
                Cell.text(ComparisonText.causes(change)).styled("text")));
      }
    }
    return table;
  }

  public static Table<?> growth(ProfileComparison comparison) {
    return new Table<Lettered>("growth", "Time per object against the size of the repository")
        .text("run", row -> row.run().name())
        .text("profile", Lettered::letter)
        .count("from object", row -> slope(row.run()).fromObjects())
        .count("to object", row -> slope(row.run()).toObjects())
        .number("time at first", row -> Cell.millis(slope(row.run()).fromNanos()))
        .number("time at last", row -> Cell.millis(slope(row.run()).toNanos()))
        .number(
            "for 1,000 objects",
            row -> Cell.signedMicros(1_000 * slope(row.run()).nanosPerObject()))
        .number("95 % from", row -> Cell.signedMicros(1_000 * slope(row.run()).low()))
        .number("to", row -> Cell.signedMicros(1_000 * slope(row.run()).high()))
        .number("p", row -> probability(slope(row.run()).pValue()))
        .rows(lettered(comparison).stream().filter(row -> slope(row.run()) != null).toList());
  }

  /** Returns null for a run that is too short or may be all warm-up. */
  public static SizeSlope slope(MeasuredRun run) {
    SteadyState state = run.steadyState();
    return state == null || state.state() == SteadyState.State.NEVER_STEADY ? null : state.slope();
  }

  private record Differing(Cell name, List<String> first, List<String> second) {}

  public static Table<?> differences(Contender contender) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    Table<Differing> table =
        new Table<Differing>(
                "differences-" + b, "Other differences between %s and %s".formatted(a, b))
            .cell("what", Differing::name)
            .cell(a, row -> values(row.first()))
            .cell(b, row -> values(row.second()))
            .tall();
    for (ComparisonText.Part part : ComparisonText.differences(contender.difference())) {
      List<Difference> differences = part.differences();
      table.section(
          differences.isEmpty()
              ? part.title() + ": " + part.none()
              : part.title() + " (" + count(differences.size()) + ")");
      List<Difference> shown =
          differences.subList(0, Math.min(MAX_DIFFERENCES, differences.size()));
      for (Difference difference : shown) {
        Cell name =
            Cell.text(shortened(difference.named())).styled(part.spoils() ? "warning" : null);
        table.row(new Differing(name, difference.first(), difference.second()));
      }
      if (shown.size() < differences.size()) {
        table.section("and " + count(differences.size() - shown.size()) + " more");
      }
    }
    List<RunDifference.AtStart> atStart = contender.difference().differingAtStart();
    if (!atStart.isEmpty()) {
      table.section("At the start of the run");
      for (RunDifference.AtStart value : atStart) {
        table.row(
            new Differing(Cell.text(value.name()), listOf(value.first()), listOf(value.second())));
      }
    }
    return table;
  }

  static List<String> listOf(String valueOrNull) {
    return valueOrNull == null ? List.of() : List.of(valueOrNull);
  }

  private static Cell values(List<String> values) {
    if (values.isEmpty()) {
      return Cell.UNKNOWN;
    }
    String shown =
        values.stream()
            .limit(MAX_VALUES)
            .map(value -> value.isEmpty() ? "(empty)" : shortened(value))
            .collect(Collectors.joining("\n"));
    int more = values.size() - MAX_VALUES;
    return Cell.text(more > 0 ? shown + "\nand " + count(more) + " more" : shown).styled("lines");
  }

  private static String shortened(String value) {
    return Shortened.marked(value, MAX_LETTERS);
  }

  public static Table<?> traceability(ProfileComparison comparison) {
    return new Table<Lettered>("traceability", "Identity and versions of each run")
        .text("run", row -> row.run().name())
        .text("profile", Lettered::letter)
        .text("state", row -> row.run().document().state())
        .text("ULID", row -> row.run().document().id())
        .text("started", row -> orNull(row.run().document().started(), ReportSummary::timeOfDay))
        .text("dataset", row -> orNull(row.run().document().dataset(), RunDocument.Dataset::name))
        .text("Fedometer", row -> versions(row.run()).get(FEDOMETER))
        .text("commit", row -> orNull(versions(row.run()).get(COMMIT), ReportSummary::abbreviated))
        .prose(
            "versions",
            row ->
                versions(row.run()).entrySet().stream()
                    .filter(version -> !List.of(FEDOMETER, COMMIT).contains(version.getKey()))
                    .map(version -> version.getKey() + " " + version.getValue())
                    .collect(Collectors.joining(", ")))
        .rows(lettered(comparison));
  }

  private static Map<String, String> versions(MeasuredRun run) {
    return new TreeMap<>(run.document().versions() == null ? Map.of() : run.document().versions());
  }

  private static <T> String orNull(T valueOrNull, Function<T, String> text) {
    return valueOrNull == null ? null : text.apply(valueOrNull);
  }
}
