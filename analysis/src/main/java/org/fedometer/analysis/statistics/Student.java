package org.fedometer.analysis.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/** Student's t distribution, two-sided. Pure. */
final class Student {

  private Student() {}

  /**
   * Returns the half-width of an interval, in the estimate's unit.
   *
   * @param standardError at least 0
   * @param degreesOfFreedom more than 0, possibly fractional
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
   * Returns the probability of an estimate at least as far from 0, in either direction, if the true
   * value is 0.
   *
   * @param standardError at least 0; if it is 0, only an estimate of 0 is compatible with 0
   */
  static double pValue(double estimate, double standardError, double degreesOfFreedom) {
    if (standardError == 0) {
      return estimate == 0 ? 1 : 0;
    }
    double deviation = Math.abs(estimate / standardError);
    return Math.min(1, 2 * TDistribution.of(degreesOfFreedom).survivalProbability(deviation));
  }
}
