package org.fedometer.benchmarks.fedora;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A ratio that was measured several times, each time anew: their geometric mean with a t interval.
 *
 * @param pairs how many ratios it is made of
 */
record RatioInterval(double ratio, double low, double high, int pairs) {

  /**
   * @param logRatios natural logarithms, two or more; their mean is taken to be about normal
   * @param confidence that the interval holds the ratio, between 0 and 1
   */
  static RatioInterval of(List<Double> logRatios, double confidence) {
    int pairs = logRatios.size();
    if (pairs < 2) {
      throw new IllegalArgumentException(
          "An interval needs two ratios at least, but there are " + pairs + ".");
    }
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "confidence must lie between 0 and 1, such as 0.95, but is " + confidence + ".");
    }
    double mean = logRatios.stream().mapToDouble(x -> x).average().orElseThrow();
    double squares = logRatios.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
    double standardError = Math.sqrt(squares / (pairs - 1) / pairs);
    double quantile = TDistribution.of(pairs - 1).inverseSurvivalProbability((1 - confidence) / 2);
    double half = quantile * standardError;
    return new RatioInterval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), pairs);
  }
}
