package org.fedometer.analysis.html;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;
import static org.fedometer.analysis.Figures.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fedometer.analysis.Figures;
import org.fedometer.analysis.compare.ComparisonWords;
import org.fedometer.analysis.compare.Contender;
import org.fedometer.analysis.compare.EnvironmentDifference.Difference;
import org.fedometer.analysis.compare.Gate;
import org.fedometer.analysis.compare.MeasuredProfile;
import org.fedometer.analysis.compare.MeasuredRun;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.compare.ProfileComparison;
import org.fedometer.analysis.compare.ResourceComparison;
import org.fedometer.analysis.compare.RunDifference;
import org.fedometer.analysis.compare.Sentences;
import org.fedometer.analysis.compare.Sides;
import org.fedometer.analysis.compare.StageDifference;
import org.fedometer.analysis.html.HtmlTable.Cell;
import org.fedometer.analysis.report.ReportWords;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.Steadiness;
import org.fedometer.analysis.statistics.Verdict;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.store.RunDocument;

/**
 * The tables of a {@link ProfileComparison}. For their CSV times are in milliseconds, those of
 * stages and slopes in microseconds. Pure.
 */
final class ComparisonTables {
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_MICRO = 1e3;

  /** Somebody's configuration may differ in any number of lines; the JSON has all. */
  private static final int MOST_VALUES = 40;

  private static final int MOST_DIFFERENCES = 400;
  private static final int MOST_LETTERS = 1_000;

  private ComparisonTables() {}

  static HtmlTable gates(List<Gate.Result> results) {
    HtmlTable table =
        new HtmlTable("gates", "Gates").text("fails if").text("profile").text("").text("found");
    for (Gate.Result result : results) {
      table.row(
          Cell.text(result.gate().text()),
          Cell.text(result.contender()),
          result.failed()
              ? Cell.text("✗ failed").styled("bad")
              : Cell.text("✓ passed").styled("good"),
          Cell.text("it " + result.found()));
    }
    return table;
  }

  static HtmlTable ratios(ProfileComparison comparison, Contender contender, boolean ofResponse) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    String sure = Sentences.percent(comparison.choices().confidence());
    HtmlTable table =
        new HtmlTable(
                (ofResponse ? "response-" : "ratios-") + b,
                "%s of %s to %s with intervals and verdicts"
                    .formatted(ofResponse ? "Ratios of response times" : "Ratios", b, a))
            .text("")
            .number(a, b, b + "/" + a, sure + " from", "to")
            .text("verdict")
            .number("p", "p, of all");
    for (RatioEstimate estimate : ofResponse ? contender.response() : contender.service()) {
      if (ofResponse && estimate.metric() == Metric.THROUGHPUT) {
        continue;
      }
      Function<MeasuredRun, Double> value =
          run -> statistics(run, ofResponse).value(estimate.metric());
      table.row(
          Cell.text(ComparisonWords.metric(estimate.metric(), ofResponse)),
          figure(estimate.metric(), Sides.typical(contender.sides().baseline(), value)),
          figure(estimate.metric(), Sides.typical(contender.sides().contender(), value)),
          Cell.number(ComparisonWords.ratio(estimate.ratio()), estimate.ratio()),
          Cell.number(ComparisonWords.ratio(estimate.low()), estimate.low()),
          Cell.number(ComparisonWords.ratio(estimate.high()), estimate.high()),
          verdict(estimate.verdict()),
          Cell.number(probability(estimate.pValue()), estimate.pValue()),
          Cell.number(probability(estimate.adjustedPValue()), estimate.adjustedPValue()));
    }
    return table;
  }

  private static RunStatistics statistics(MeasuredRun run, boolean ofResponse) {
    return (ofResponse ? run.part().response() : run.part().service()).statistics();
  }

  private static Cell verdict(Verdict verdict) {
    return Cell.text(IntervalPlot.sign(verdict) + " " + Sentences.inWords(verdict))
        .styled(IntervalPlot.colour(verdict));
  }

  static String probability(double value) {
    return value < 0.001 ? "<0.001" : String.format(Locale.ROOT, "%.3f", value);
  }

  private static Cell figure(Metric metric, OptionalDouble value) {
    return value.isEmpty() ? Cell.text("–") : figure(metric, value.getAsDouble());
  }

  private static Cell figure(Metric metric, double value) {
    return Cell.number(
        ComparisonWords.figure(metric, value),
        metric == Metric.THROUGHPUT ? value : value / NANOS_A_MILLI);
  }

  static HtmlTable runs(ProfileComparison comparison) {
    boolean responses =
        all(comparison).stream()
            .anyMatch(run -> run.part() != null && run.part().response() != null);
    HtmlTable table =
        new HtmlTable("runs", "The runs, and how steady they were")
            .text("run", "profile")
            .number("objects", "measured from", "objects/s", "mean", "p50", "p95", "p99");
    if (responses) {
      table.number("response p50").number("response p95").number("response p99");
    }
    table.number("with flush").text("steadiness").sortable();
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        List<Cell> row = new ArrayList<>();
        row.add(Cell.text(run.name()));
        row.add(Cell.text(profile.letter()));
        row.add(Cell.number(count(run.objects()), run.objects()));
        row.add(
            run.part() == null
                ? Cell.text("–")
                : Cell.number(count(run.part().from()), run.part().from()));
        for (Metric metric : Metric.values()) {
          row.add(
              run.part() == null
                  ? Cell.text("–")
                  : figure(metric, statistics(run, false).value(metric)));
        }
        if (responses) {
          for (Metric metric : List.of(Metric.P50, Metric.P95, Metric.P99)) {
            row.add(
                run.part() == null || run.part().response() == null
                    ? Cell.text("–")
                    : figure(metric, statistics(run, true).value(metric)));
          }
        }
        row.add(
            run.objectsPerSecondWithDrain() == null
                ? Cell.text("–")
                : Cell.number(
                    rate(run.objectsPerSecondWithDrain()), run.objectsPerSecondWithDrain()));
        row.add(Cell.text(Sentences.steadiness(run)));
        table.row(row);
      }
    }
    return table;
  }

  static List<MeasuredRun> all(ProfileComparison comparison) {
    return comparison.profiles().stream().flatMap(profile -> profile.runs().stream()).toList();
  }

  static HtmlTable stages(Contender contender) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    HtmlTable table =
        new HtmlTable(
                "stages-" + b,
                "Own time an object of %s and %s in each stage, largest differences first"
                    .formatted(a, b))
            .text("stage")
            .number(a, b, b + "−" + a, "from", "to", a + " share", b + " share")
            .text("")
            .sortable()
            .tall();
    for (StageDifference stage : contender.stages()) {
      table.row(
          Cell.text(stage.stage()),
          micros(stage.baselineNanos()),
          micros(stage.contenderNanos()),
          signedMicros(stage.differenceNanos())
              .styled(!stage.isClear() ? null : stage.differenceNanos() < 0 ? "good" : "bad"),
          stage.bounds() == null ? Cell.text("?") : signedMicros(stage.bounds().low()),
          stage.bounds() == null ? Cell.text("?") : signedMicros(stage.bounds().high()),
          share(stage.baselineShare()),
          share(stage.contenderShare()),
          Cell.text(stage.beside() ? "beside" : ""));
    }
    return table;
  }

  private static Cell share(Double share) {
    return share == null ? Cell.text("–") : Cell.number(Figures.share(share), share);
  }

  private static Cell micros(double nanos) {
    return Cell.number(duration(nanos), nanos / NANOS_A_MICRO);
  }

  private static Cell signedMicros(double nanos) {
    return Cell.number(signed(nanos), nanos / NANOS_A_MICRO);
  }

  static String signed(double nanos) {
    return nanos == 0 ? "0" : (nanos < 0 ? "−" : "+") + duration(Math.abs(nanos));
  }

  static HtmlTable resources(Contender contender) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    HtmlTable table =
        new HtmlTable(
                "resources-" + b,
                "What objects take under %s and %s; CSV in nanoseconds and bytes".formatted(a, b))
            .text("")
            .number(a, b, b + "/" + a);
    for (ResourceComparison.Line line : ResourceComparison.of(contender)) {
      table.row(
          Cell.text(line.name()),
          orDash(line.baseline(), line.unit()),
          orDash(line.contender(), line.unit()),
          orDash(line.ratio(), ComparisonWords::ratio));
    }
    return table;
  }

  private static Cell orDash(Double value, DoubleFunction<String> unit) {
    return value == null ? Cell.text("–") : Cell.number(unit.apply(value), value);
  }

  static HtmlTable limits(ProfileComparison comparison) {
    HtmlTable table = new HtmlTable("limits", "What limited it").text("profile").text("limit");
    for (MeasuredProfile profile : comparison.profiles()) {
      List<String> limits = ComparisonWords.limits(profile);
      for (String limit : limits.isEmpty() ? List.of("–") : limits) {
        table.row(Cell.text(name(profile)), Cell.text(limit).styled("text"));
      }
    }
    return table;
  }

  static String name(MeasuredProfile profile) {
    return profile.letter() + "  " + profile.label();
  }

  /** Ends of warm-ups and changes of pace; changes are numbered as in the charts. */
  static HtmlTable pace(ProfileComparison comparison) {
    HtmlTable table =
        new HtmlTable("pace", "Warm-up and changes of pace")
            .number("no.")
            .text("run", "profile", "what")
            .number("at object", "after", "from", "to")
            .text("what happened then")
            .tall();
    int number = 0;
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        if (run.steadiness() == null) {
          continue;
        }
        long warm = run.part() == null ? 0 : run.part().from();
        boolean never = run.steadiness().state() == Steadiness.State.NEVER_STEADY;
        table.row(
            Cell.text(""),
            Cell.text(run.name()),
            Cell.text(profile.letter()),
            Cell.text(
                warm > 0 ? "measured from" : never ? "never settled" : "measured from the first"),
            warm > 0 ? Cell.number(count(warm), warm) : Cell.text(""),
            Cell.text(""),
            Cell.text(""),
            Cell.text(""),
            Cell.text(""));
        String drift = ComparisonWords.drift(run);
        if (drift != null) {
          SizeSlope slope = run.steadiness().slope();
          table.row(
              Cell.text(""),
              Cell.text(run.name()),
              Cell.text(profile.letter()),
              Cell.text("drifts").styled("warning"),
              Cell.text(""),
              Cell.text(""),
              millis(slope.fromNanos()),
              millis(slope.toNanos()),
              Cell.text(drift).styled("text"));
        }
        for (LabelledChange change : run.changes()) {
          number++;
          table.row(
              Cell.number(Integer.toString(number), number),
              Cell.text(run.name()),
              Cell.text(profile.letter()),
              Cell.text("change of pace").styled("warning"),
              Cell.number(count(change.change().request()), change.change().request()),
              Cell.number(
                  CourseTables.elapsed(change.afterNanos() / 1e9), change.afterNanos() / 1e9),
              millis(change.change().beforeNanos()),
              millis(change.change().afterNanos()),
              Cell.text(ComparisonWords.causes(change)).styled("text"));
        }
      }
    }
    return table;
  }

  private static Cell millis(double nanos) {
    return Cell.number(duration(nanos), nanos / NANOS_A_MILLI);
  }

  static HtmlTable growth(ProfileComparison comparison) {
    HtmlTable table =
        new HtmlTable("growth", "Time per object against the size of the repository")
            .text("run", "profile")
            .number(
                "from object",
                "to object",
                "time at first",
                "time at last",
                "for 1,000 objects",
                "95 % from",
                "to",
                "p");
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        SizeSlope slope = slope(run);
        if (slope != null) {
          table.row(
              Cell.text(run.name()),
              Cell.text(profile.letter()),
              Cell.number(count(slope.fromObjects()), slope.fromObjects()),
              Cell.number(count(slope.toObjects()), slope.toObjects()),
              millis(slope.fromNanos()),
              millis(slope.toNanos()),
              signedMicros(1_000 * slope.nanosPerObject()),
              signedMicros(1_000 * slope.low()),
              signedMicros(1_000 * slope.high()),
              Cell.number(probability(slope.pValue()), slope.pValue()));
        }
      }
    }
    return table;
  }

  /** Null where a run is too short to have one. */
  static SizeSlope slope(MeasuredRun run) {
    return run.steadiness() == null ? null : run.steadiness().slope();
  }

  static HtmlTable differences(Contender contender) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    HtmlTable table =
        new HtmlTable("differences-" + b, "What differs between %s and %s".formatted(a, b))
            .text("what", a, b)
            .tall();
    for (ComparisonWords.Part part : ComparisonWords.differences(contender.difference())) {
      List<Difference> differences = part.differences();
      table.section(
          differences.isEmpty()
              ? part.title() + ": " + part.none()
              : part.title() + " (" + count(differences.size()) + ")");
      List<Difference> shown =
          differences.subList(0, Math.min(MOST_DIFFERENCES, differences.size()));
      for (Difference difference : shown) {
        String area = difference.area().equals("profile") ? "" : difference.area() + ": ";
        table.row(
            Cell.text(shortened(area + difference.name())).styled(part.spoils() ? "warning" : null),
            values(difference.first()),
            values(difference.second()));
      }
      if (shown.size() < differences.size()) {
        table.section("and " + count(differences.size() - shown.size()) + " more");
      }
    }
    List<RunDifference.AtStart> atStart = contender.difference().atStart();
    if (!atStart.isEmpty()) {
      table.section("At the start of the run");
      for (RunDifference.AtStart value : atStart) {
        table.row(
            Cell.text(value.name()), values(listOf(value.first())), values(listOf(value.second())));
      }
    }
    return table;
  }

  private static List<String> listOf(String valueOrNull) {
    return valueOrNull == null ? List.of() : List.of(valueOrNull);
  }

  private static Cell values(List<String> values) {
    if (values.isEmpty()) {
      return Cell.text("–");
    }
    String shown =
        values.stream()
            .limit(MOST_VALUES)
            .map(value -> value.isEmpty() ? "(empty)" : shortened(value))
            .collect(Collectors.joining("\n"));
    int more = values.size() - MOST_VALUES;
    return Cell.text(more > 0 ? shown + "\nand " + count(more) + " more" : shown).styled("lines");
  }

  private static String shortened(String value) {
    return Shortened.marked(value, MOST_LETTERS);
  }

  static HtmlTable traceability(ProfileComparison comparison) {
    HtmlTable table =
        new HtmlTable("traceability", "By what each run can be found and made again")
            .text(
                "run",
                "profile",
                "state",
                "ULID",
                "started",
                "dataset",
                "Fedometer",
                "commit",
                "versions");
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        RunDocument document = run.document();
        Map<String, String> versions =
            new TreeMap<>(document.versions() == null ? Map.of() : document.versions());
        String fedometer = versions.remove("fedometer");
        String commit = versions.remove("fedometer.gitCommit");
        table.row(
            Cell.text(run.name()),
            Cell.text(profile.letter()),
            Cell.text(document.state()),
            Cell.text(document.id()),
            Cell.text(
                document.started() == null ? null : ReportWords.timeOfDay(document.started())),
            Cell.text(document.dataset() == null ? null : document.dataset().name()),
            Cell.text(fedometer),
            Cell.text(commit == null ? null : ReportWords.abbreviated(commit)),
            Cell.text(
                    versions.entrySet().stream()
                        .map(version -> version.getKey() + " " + version.getValue())
                        .collect(Collectors.joining(", ")))
                .styled("text"));
      }
    }
    return table;
  }
}
