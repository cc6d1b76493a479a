package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Compares contenders with a baseline: ratios of all metrics with their errors, then verdicts over
 * a family of them. Pure, safe on any thread.
 *
 * <p>The unit of replication is the run, so differences between runs count. {@link #betweenRuns}
 * and {@link #paired} are t intervals on logarithms of the runs' metrics (T. Kalibera and R. Jones,
 * "Rigorous benchmarking in reasonable time", ISMM 2013; A. Georges, D. Buytaert and L. Eeckhout,
 * "Statistically rigorous Java performance evaluation", OOPSLA 2007). They need {@link #MIN_RUNS}
 * runs of each. With two or three the interval is valid but wide: Student's t then has one to four
 * degrees of freedom. With a single run on either side only {@link #withinRun} is possible, which
 * does not cover run-to-run variation.
 *
 * <p>All lists of ratios have one element for each metric, in the order of {@link Metric}.
 */
public final class Comparison {

  /** Default of the smallest relevant relative difference: 3 %. */
  public static final double DEFAULT_THRESHOLD = 0.03;

  public static final double DEFAULT_CONFIDENCE = 0.95;

  /** Minimum number of runs to estimate variation between runs. */
  public static final int MIN_RUNS = 2;

  private Comparison() {}

  /**
   * Returns ratios with errors within the given runs ({@link Scope#WITHIN_RUN}). Several runs of a
   * side are combined by their geometric mean, with independent errors.
   *
   * @param baseline one run or more
   * @param contender one run or more
   */
  public static List<LogRatio> withinRun(List<WithinRun> baseline, List<WithinRun> contender) {
    requireRuns(baseline.size(), contender.size(), 1);
    List<LogRatio> ratios = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      double[] logs = {0, 0};
      double variance = 0;
      double squares = 0;
      for (int side = 0; side < logs.length; side++) {
        List<WithinRun> runs = side == 0 ? baseline : contender;
        for (WithinRun run : runs) {
          logs[side] += run.statistics().logarithm(metric) / runs.size();
          WithinRun.MetricError error = run.error(metric);
          double share = Math.pow(error.logStandardError() / runs.size(), 2);
          variance += share;
          squares += share * share / error.degreesOfFreedom();
        }
      }
      double degreesOfFreedom = squares > 0 ? variance * variance / squares : 1;
      ratios.add(
          new LogRatio(
              metric,
              Scope.WITHIN_RUN,
              areKnown(metric, statistics(baseline), statistics(contender))
                  ? logs[1] - logs[0]
                  : Double.NaN,
              Math.sqrt(variance),
              degreesOfFreedom,
              possible(metric, statistics(baseline), statistics(contender))));
    }
    return ratios;
  }

  /**
   * Returns ratios of independent runs, with possibly different variances of both sides, by {@link
   * MeanDifference#ofRuns}.
   *
   * @param baseline metrics of two runs or more
   * @param contender metrics of two runs or more
   */
  public static List<LogRatio> betweenRuns(
      List<RunStatistics> baseline, List<RunStatistics> contender) {
    requireRuns(baseline.size(), contender.size(), MIN_RUNS);
    return ofRuns(baseline, contender, MeanDifference::ofRuns);
  }

  /**
   * Returns ratios of interleaved runs, the i-th of the baseline with the i-th of the contender.
   * Slow changes of the machine affect both of a pair and cancel out.
   *
   * @param baseline metrics of two runs or more
   * @param contender metrics of as many
   */
  public static List<LogRatio> paired(List<RunStatistics> baseline, List<RunStatistics> contender) {
    requireRuns(baseline.size(), contender.size(), MIN_RUNS);
    if (baseline.size() != contender.size()) {
      throw new IllegalArgumentException(
          "Pairs need as many runs of the contender as of the baseline, but there are "
              + contender.size()
              + " and "
              + baseline.size()
              + "; compare them as independent runs.");
    }
    return ofRuns(baseline, contender, MeanDifference::ofPairs);
  }

  private static List<LogRatio> ofRuns(
      List<RunStatistics> baseline,
      List<RunStatistics> contender,
      BiFunction<double[], double[], MeanDifference> difference) {
    List<LogRatio> ratios = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      boolean known = areKnown(metric, baseline, contender);
      MeanDifference ofLogarithms =
          difference.apply(
              logarithms(metric, baseline, known), logarithms(metric, contender, known));
      ratios.add(
          new LogRatio(
              metric,
              ofLogarithms.scope(),
              known ? ofLogarithms.difference() : Double.NaN,
              ofLogarithms.standardError(),
              ofLogarithms.degreesOfFreedom(),
              possible(metric, baseline, contender)));
    }
    return ratios;
  }

  private static boolean areKnown(
      Metric metric, List<RunStatistics> baseline, List<RunStatistics> contender) {
    return Stream.concat(baseline.stream(), contender.stream())
        .allMatch(run -> run.isKnown(metric));
  }

  /**
   * Returns the bounds of the log ratio due to the resolution of times. Each metric has its own
   * rounding error. But a mean of spread times has the same one in all runs of one resolution,
   * whichever way they were rounded.
   */
  private static Bounds possible(
      Metric metric, List<RunStatistics> baseline, List<RunStatistics> contender) {
    Bounds first = possible(metric, baseline);
    Bounds second = possible(metric, contender);
    boolean ofMeans = metric == Metric.MEAN || metric == Metric.THROUGHPUT;
    boolean alike =
        Stream.concat(baseline.stream(), contender.stream())
                    .map(RunStatistics::exactness)
                    .distinct()
                    .count()
                == 1
            && baseline.get(0).exactness().spread();
    double same = second.low() - first.low();
    double other = second.high() - first.high();
    return ofMeans && alike && Double.isFinite(same) && Double.isFinite(other)
        ? new Bounds(Math.min(same, other), Math.max(same, other))
        : new Bounds(second.low() - first.high(), second.high() - first.low());
  }

  /** Returns the bounds of the geometric mean over runs. */
  private static Bounds possible(Metric metric, List<RunStatistics> runs) {
    double low = 0;
    double high = 0;
    for (RunStatistics run : runs) {
      Bounds possible = run.possible(metric);
      low += Math.log(possible.low()) / runs.size();
      high += Math.log(possible.high()) / runs.size();
    }
    return new Bounds(low, high);
  }

  private static List<RunStatistics> statistics(List<WithinRun> runs) {
    return runs.stream().map(WithinRun::statistics).toList();
  }

  /**
   * Judges a family of comparisons. P-values and intervals are adjusted by {@link Holm}, so that
   * the probability of calling any of them better or worse without a difference is at most {@code 1
   * - confidence}.
   *
   * @param family one ratio or more; the result has the same order
   * @param threshold smallest relevant relative difference, such as 0.03
   * @param confidence between 0 and 1, such as 0.95
   */
  public static List<RatioEstimate> judge(
      List<LogRatio> family, double threshold, double confidence) {
    double[] pValues = family.stream().mapToDouble(LogRatio::pValue).toArray();
    double[] adjusted = Holm.adjusted(pValues);
    double[] levels = Holm.levels(pValues, 1 - confidence);
    List<RatioEstimate> estimates = new ArrayList<>();
    for (int i = 0; i < pValues.length; i++) {
      LogRatio ratio = family.get(i);
      Bounds bounds = ratio.bounds(1 - levels[i]);
      estimates.add(
          new RatioEstimate(
              ratio.metric(),
              ratio.ratio(),
              bounds.low(),
              bounds.high(),
              confidence,
              pValues[i],
              adjusted[i],
              ratio.scope(),
              Verdict.of(ratio.metric(), bounds.low(), bounds.high(), threshold)));
    }
    return estimates;
  }

  /**
   * Judges several contenders against one baseline. For each metric all contenders are one family,
   * so more profiles do not increase the probability of a false verdict. Metrics are not adjusted
   * for one another, since they are different questions about the same requests.
   *
   * @param contenders ratios of all metrics for each
   * @return in the same order
   */
  public static List<List<RatioEstimate>> judgeEach(
      List<List<LogRatio>> contenders, double threshold, double confidence) {
    List<List<RatioEstimate>> judged = new ArrayList<>();
    contenders.forEach(contender -> judged.add(new ArrayList<>()));
    for (Metric metric : Metric.values()) {
      List<LogRatio> family =
          contenders.stream().map(ratios -> ratios.get(metric.ordinal())).toList();
      List<RatioEstimate> estimates = judge(family, threshold, confidence);
      for (int i = 0; i < estimates.size(); i++) {
        judged.get(i).add(estimates.get(i));
      }
    }
    return Collections.unmodifiableList(judged);
  }

  private static void requireRuns(int baseline, int contender, int min) {
    if (baseline < min || contender < min) {
      throw new IllegalArgumentException(
          "This comparison needs "
              + min
              + " or more runs on each side, but there are "
              + baseline
              + " of the baseline and "
              + contender
              + " of the contender"
              + (min == 1
                  ? "."
                  : "; what a single run tells is only its variation within itself."));
    }
  }

  /**
   * Returns logarithms with substitutes for zeros if not all metrics are known, since runs differ
   * nevertheless.
   */
  private static double[] logarithms(Metric metric, List<RunStatistics> runs, boolean known) {
    return runs.stream()
        .mapToDouble(
            run -> known ? run.logarithm(metric) : run.logarithmForError(metric, run.value(metric)))
        .toArray();
  }
}
