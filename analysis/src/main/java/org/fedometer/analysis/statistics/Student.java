package org.fedometer.analysis.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/** Student's t distribution, both tails at once. Pure. */
final class Student {

  private Student() {}

  /**
   * How many standard errors an interval reaches to each side.
   *
   * @param degreesOfFreedom more than 0, not necessarily whole
   * @param level probability outside of the interval, between 0 and 1, such as 0.05
   */
  static double quantile(double degreesOfFreedom, double level) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException(
          "A confidence lies between 0 and 1, such as 0.95, but is " + (1 - level) + ".");
    }
    return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(level / 2);
  }

  /**
   * Probability of an estimate at least as far from 0, to either side, if the true value is 0.
   *
   * @param standardError 0 or more; if it is 0, only an estimate of 0 is compatible with 0
   */
  static double pValue(double estimate, double standardError, double degreesOfFreedom) {
    if (standardError == 0) {
      return estimate == 0 ? 1 : 0;
    }
    double deviation = Math.abs(estimate / standardError);
    return Math.min(1, 2 * TDistribution.of(degreesOfFreedom).survivalProbability(deviation));
  }
}
