package org.fedometer.analysis.statistics;

import java.util.Objects;

/**
 * The ratio of a contender's figure to the baseline's, as its natural logarithm, with what an
 * interval at any confidence needs. Immutable, safe on any thread.
 *
 * @param metric which figure
 * @param scope which variation the standard error covers
 * @param logRatio natural logarithm of contender / baseline
 * @param standardError of {@code logRatio}, 0 or more
 * @param degreesOfFreedom of Student's t, more than 0
 */
public record LogRatio(
    Metric metric, Scope scope, double logRatio, double standardError, double degreesOfFreedom) {
  public LogRatio {
    Objects.requireNonNull(metric);
    Objects.requireNonNull(scope);
    if (!(standardError >= 0) || !(degreesOfFreedom > 0)) {
      throw new IllegalArgumentException(
          "A standard error is 0 or more and degrees of freedom are above 0, not "
              + standardError
              + " and "
              + degreesOfFreedom
              + ".");
    }
  }

  /** By how much the logarithms of the figures differ. */
  public static LogRatio of(Metric metric, MeanDifference ofLogarithms) {
    return new LogRatio(
        metric,
        ofLogarithms.scope(),
        ofLogarithms.difference(),
        ofLogarithms.standardError(),
        ofLogarithms.degreesOfFreedom());
  }

  /** Contender / baseline. */
  public double ratio() {
    return Math.exp(logRatio);
  }

  /**
   * The interval of the ratio.
   *
   * @param confidence between 0 and 1, such as 0.95
   */
  public Bounds bounds(double confidence) {
    double half = Student.reach(standardError, degreesOfFreedom, confidence);
    return new Bounds(Math.exp(logRatio - half), Math.exp(logRatio + half));
  }

  /** Probability of a ratio at least as far from 1 if there were no difference. */
  public double pValue() {
    return Student.pValue(logRatio, standardError, degreesOfFreedom);
  }
}
