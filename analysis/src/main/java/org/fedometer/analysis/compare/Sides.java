package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.fedometer.analysis.compare.StageTime.MeanError;
import org.fedometer.analysis.statistics.Bounds;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.LogRatio;
import org.fedometer.analysis.statistics.MeanDifference;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.WithinRun;

/**
 * The compared runs of two profiles. With two or more on both sides, variation between runs counts,
 * in pairs if they were interleaved; otherwise variation within each run. Immutable.
 *
 * @param baseline runs with a part to compare
 * @param contender likewise; in pairs, the i-th was interleaved with the i-th of the baseline
 */
public record Sides(List<MeasuredRun> baseline, List<MeasuredRun> contender, boolean paired) {

  public Sides {
    baseline = List.copyOf(baseline);
    contender = List.copyOf(contender);
  }

  /**
   * Returns pairs if every run has a block and at least two blocks have both; otherwise all runs.
   */
  static Sides of(MeasuredProfile baseline, MeasuredProfile contender) {
    Map<String, MeasuredRun> first = byBlock(baseline.comparable());
    Map<String, MeasuredRun> second = byBlock(contender.comparable());
    if (first != null && second != null) {
      List<String> both = first.keySet().stream().filter(second::containsKey).toList();
      if (both.size() >= Comparison.MIN_RUNS) {
        return new Sides(
            both.stream().map(first::get).toList(), both.stream().map(second::get).toList(), true);
      }
    }
    return new Sides(baseline.comparable(), contender.comparable(), false);
  }

  /** Returns null if a run has no block, or two have the same. */
  private static Map<String, MeasuredRun> byBlock(List<MeasuredRun> runs) {
    Map<String, MeasuredRun> byBlock = new LinkedHashMap<>();
    for (MeasuredRun run : runs) {
      if (run.block() == null || byBlock.put(run.block(), run) != null) {
        return null;
      }
    }
    return byBlock;
  }

  public Scope scope() {
    return Math.min(baseline.size(), contender.size()) >= Comparison.MIN_RUNS
        ? Scope.BETWEEN_RUNS
        : Scope.WITHIN_RUN;
  }

  /** Returns ratios of throughput and service times; empty if undetermined. */
  List<LogRatio> service() {
    return ratios(run -> run.part().service());
  }

  /** Returns ratios of response times; empty if a run was a closed model. */
  List<LogRatio> response() {
    return ratios(run -> run.part().response());
  }

  List<LogRatio> fullService() {
    return ratios(run -> run.part().fullService());
  }

  List<LogRatio> fullResponse() {
    return ratios(run -> run.part().fullResponse());
  }

  private List<LogRatio> ratios(Function<MeasuredRun, MeasuredRun.Statistics> statistics) {
    List<MeasuredRun.Statistics> first = baseline.stream().map(statistics).toList();
    List<MeasuredRun.Statistics> second = contender.stream().map(statistics).toList();
    if (first.isEmpty() || second.isEmpty() || first.contains(null) || second.contains(null)) {
      return List.of();
    }
    if (scope() == Scope.BETWEEN_RUNS) {
      return paired
          ? Comparison.paired(statistics(first), statistics(second))
          : Comparison.betweenRuns(statistics(first), statistics(second));
    }
    List<WithinRun> ofBaseline = first.stream().map(MeasuredRun.Statistics::withinRun).toList();
    List<WithinRun> ofContender = second.stream().map(MeasuredRun.Statistics::withinRun).toList();
    return ofBaseline.contains(null) || ofContender.contains(null)
        ? List.of()
        : Comparison.withinRun(ofBaseline, ofContender);
  }

  private static List<RunStatistics> statistics(List<MeasuredRun.Statistics> statistics) {
    return statistics.stream().map(MeasuredRun.Statistics::statistics).toList();
  }

  /**
   * Returns the ratio, between runs, of any value for which smaller is better.
   *
   * @param figure null or not above 0 if unknown
   * @return empty with a single run on either side, or if a run lacks the value
   */
  Optional<LogRatio> ratio(Function<MeasuredRun, Double> figure) {
    double[] first = logarithms(baseline, figure);
    double[] second = logarithms(contender, figure);
    if (scope() == Scope.WITHIN_RUN
        || first.length < baseline.size()
        || second.length < contender.size()) {
      return Optional.empty();
    }
    return Optional.of(
        LogRatio.of(
            Metric.MEAN,
            paired ? MeanDifference.ofPairs(first, second) : MeanDifference.ofRuns(first, second)));
  }

  /**
   * Returns the geometric mean over runs with a value, as ratios also average logarithms. 0 if one
   * of them is 0.
   */
  public static OptionalDouble typical(
      List<MeasuredRun> runs, Function<MeasuredRun, Double> figure) {
    if (runs.stream().map(figure).anyMatch(value -> value != null && value == 0)) {
      return OptionalDouble.of(0);
    }
    double[] logarithms = logarithms(runs, figure);
    return logarithms.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.exp(MeanDifference.mean(logarithms)));
  }

  private static double[] logarithms(List<MeasuredRun> runs, Function<MeasuredRun, Double> figure) {
    return runs.stream()
        .map(figure)
        .filter(value -> value != null && value > 0)
        .mapToDouble(Math::log)
        .toArray();
  }

  /**
   * Returns each stage's cost on both sides, inside and outside requests, largest difference first.
   *
   * @param confidence of each interval separately, such as 0.95
   * @return empty if a side has no samples
   */
  List<StageDifference> stages(double confidence) {
    Sides sampled = sampled();
    if (sampled.baseline.isEmpty() || sampled.contender.isEmpty()) {
      return List.of();
    }
    List<StageTime> any = new ArrayList<>();
    for (List<MeasuredRun> side : List.of(sampled.baseline, sampled.contender)) {
      for (MeasuredRun run : side) {
        for (StageTime time : run.stages()) {
          if (any.stream().noneMatch(other -> isSame(other, time))) {
            any.add(time);
          }
        }
      }
    }
    List<StageDifference> differences = new ArrayList<>();
    for (StageTime stage : any) {
      differences.add(sampled.difference(stage, confidence));
    }
    differences.sort(
        Comparator.comparingDouble((StageDifference d) -> -Math.abs(d.differenceNanos()))
            .thenComparing(StageDifference::stage)
            .thenComparing(StageDifference::outside));
    return differences;
  }

  private static boolean isSame(StageTime one, StageTime other) {
    return one.stage().equals(other.stage()) && one.outside() == other.outside();
  }

  /** Returns the sides without runs that lack samples, and without their pairs. */
  private Sides sampled() {
    List<MeasuredRun> first = new ArrayList<>();
    List<MeasuredRun> second = new ArrayList<>();
    if (!paired) {
      baseline.stream().filter(Sides::isSampled).forEach(first::add);
      contender.stream().filter(Sides::isSampled).forEach(second::add);
      return new Sides(first, second, false);
    }
    for (int i = 0; i < baseline.size(); i++) {
      if (isSampled(baseline.get(i)) && isSampled(contender.get(i))) {
        first.add(baseline.get(i));
        second.add(contender.get(i));
      }
    }
    return new Sides(first, second, first.size() >= Comparison.MIN_RUNS);
  }

  private static boolean isSampled(MeasuredRun run) {
    return !run.stages().isEmpty();
  }

  private StageDifference difference(StageTime stage, double confidence) {
    List<StageTime> first = of(baseline, stage);
    List<StageTime> second = of(contender, stage);
    double[] selfNanos = selfNanos(first);
    double[] otherSelfNanos = selfNanos(second);
    MeanDifference difference = null;
    if (scope() == Scope.BETWEEN_RUNS) {
      difference =
          paired
              ? MeanDifference.ofPairs(selfNanos, otherSelfNanos)
              : MeanDifference.ofRuns(selfNanos, otherSelfNanos);
    } else {
      MeanError error = error(first);
      MeanError othersError = error(second);
      if (error != null && othersError != null) {
        difference =
            MeanDifference.withinRuns(mean(selfNanos, error), mean(otherSelfNanos, othersError));
      }
    }
    Bounds bounds = difference == null ? null : difference.bounds(confidence);
    return new StageDifference(
        stage.stage(),
        stage.outside(),
        MeanDifference.mean(selfNanos),
        MeanDifference.mean(otherSelfNanos),
        meanShare(first),
        meanShare(second),
        bounds,
        scope());
  }

  private static List<StageTime> of(List<MeasuredRun> runs, StageTime stage) {
    return runs.stream()
        .map(
            run ->
                run.stages().stream()
                    .filter(time -> isSame(time, stage))
                    .findFirst()
                    .orElseGet(() -> StageTime.none(stage)))
        .toList();
  }

  private static MeanDifference.Mean mean(double[] values, MeanError error) {
    return new MeanDifference.Mean(
        MeanDifference.mean(values), error.standard() * error.standard(), error.degreesOfFreedom());
  }

  private static double[] selfNanos(List<StageTime> times) {
    return times.stream().mapToDouble(StageTime::selfNanos).toArray();
  }

  private static Double meanShare(List<StageTime> times) {
    return times.stream().anyMatch(time -> time.share() == null)
        ? null
        : (Double) MeanDifference.mean(times.stream().mapToDouble(StageTime::share).toArray());
  }

  /**
   * Returns the error of the mean over runs; a stage that did not run in one has no error there.
   */
  private static MeanError error(List<StageTime> times) {
    double variance = 0;
    double squares = 0;
    for (StageTime time : times) {
      if (time.selfNanos() == 0) {
        continue;
      }
      if (time.error() == null) {
        return null;
      }
      double ofRun = Math.pow(time.error().standard() / times.size(), 2);
      variance += ofRun;
      squares += ofRun * ofRun / time.error().degreesOfFreedom();
    }
    return new MeanError(Math.sqrt(variance), squares > 0 ? variance * variance / squares : 1);
  }
}
