package org.fedometer.analysis.statistics;

import java.util.Arrays;

/**
 * Estimates the correlation of neighbors in a series, and chooses intervals long enough to be
 * nearly independent, as tests assume. Pure.
 */
final class Dependence {

  /** Change points and slopes need no finer intervals. */
  static final int MAX_INTERVALS = 1_000;

  /** Minimum number of intervals when reducing dependence. */
  static final int MIN_INTERVALS = 60;

  /** A lag-1 autocorrelation that hardly affects tests of independent observations. */
  private static final double HARMLESS = 0.1;

  /** In medians of absolute differences; one in ten million values of normal noise is larger. */
  private static final double MAX_NOISE = 8;

  private Dependence() {}

  /**
   * Splits a series into 1,000 intervals, or half, a quarter ... as many, until neighbors are
   * nearly independent. Means of longer intervals are less dependent (batch means: G. S. Fishman,
   * "Grouping observations in digital simulation", Management Science 24(5), 1978).
   */
  static Intervals nearlyIndependent(Series series) {
    Intervals intervals = series.intervals(MAX_INTERVALS);
    while (intervals.size() / 2 >= MIN_INTERVALS
        && lagOne(intervals.means()) > HARMLESS + 1 / Math.sqrt(intervals.size())) {
      intervals = series.intervals(intervals.size() / 2);
    }
    return intervals;
  }

  /**
   * Returns the lag-1 autocorrelation of short-term variation, robust against slow trends, a few
   * jumps of level and single spikes, which would bias a plain autocorrelation. Differences at
   * distance 2 have {@code (1 - r2) / (1 - r1)} times the variance of those at distance 1, which is
   * {@code 1 + r1} for a first-order autoregression. Spreads are mean absolute differences, limited
   * to eight times their median.
   *
   * @param series three values or more
   * @return from -1 to 1
   */
  static double lagOne(double[] series) {
    double near = spread(series, 1);
    double far = spread(series, 2);
    if (near == 0) {
      return 0;
    }
    return Math.max(-1, Math.min(1, far * far / (near * near) - 1));
  }

  /** Returns the mean absolute difference at this distance; limits jumps to large noise. */
  private static double spread(double[] series, int distance) {
    double[] differences = new double[series.length - distance];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = Math.abs(series[i + distance] - series[i]);
    }
    double[] sorted = differences.clone();
    Arrays.sort(sorted);
    double median = sorted[sorted.length / 2];
    double max = median > 0 ? MAX_NOISE * median : Double.POSITIVE_INFINITY;
    double sum = 0;
    for (double difference : differences) {
      sum += Math.min(difference, max);
    }
    return sum / differences.length;
  }
}
