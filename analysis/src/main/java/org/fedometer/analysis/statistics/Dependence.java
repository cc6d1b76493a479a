package org.fedometer.analysis.statistics;

import java.util.Arrays;

/**
 * How much neighbours in a series resemble each other, and intervals long enough that they hardly
 * do. Used by {@link SteadyState} and {@link SizeSlope}, whose tests take intervals to be nearly
 * independent; pure.
 */
final class Dependence {

  /** Change points and slopes need no finer intervals than this. */
  static final int MAX_INTERVALS = 1_000;

  /** Fewer intervals than this are not made for the sake of independence. */
  static final int MIN_INTERVALS = 60;

  /** A lag-1 autocorrelation that does tests of independent observations little harm. */
  private static final double HARMLESS = 0.1;

  /** In medians of absolute differences; of normal noise one in ten million is larger. */
  private static final double MAX_NOISE = 8;

  private Dependence() {}

  /**
   * Cuts a series into 1,000 intervals, or half, a quarter ... as many, until neighbours are nearly
   * independent. Means of longer intervals are less dependent (batch means: G. S. Fishman,
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
   * The lag-1 autocorrelation of what a series does from one observation to the next, untouched by
   * slow trends, few jumps of level and single spikes, all of which a plain autocorrelation takes
   * for dependence: differences at distance 2 have {@code (1 - r2) / (1 - r1)} times the variance
   * of those at distance 1, which is {@code 1 + r1} for a first-order autoregression; spreads are
   * told from the mean of absolute differences, of which those beyond eight times their median are
   * cut to that.
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

  /** Mean absolute difference at this distance; jumps count for no more than large noise. */
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
