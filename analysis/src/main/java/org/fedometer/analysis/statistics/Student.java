package org.fedometer.analysis.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/** Student's t distribution, both tails at once. Pure. */
final class Student {

  private Student() {}

  /**
   * How far an interval reaches to each side of an estimate, in its unit.
   *
   * @param standardError 0 or more
   * @param degreesOfFreedom more than 0, not necessarily whole
   * @param confidence between 0 and 1, such as 0.95
   */
  static double reach(double standardError, double degreesOfFreedom, double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "A confidence lies between 0 and 1, such as 0.95, but is " + confidence + ".");
    }
    double outside = 1 - confidence;
    return standardError
        * TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(outside / 2);
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
