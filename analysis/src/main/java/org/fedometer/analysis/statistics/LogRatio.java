package org.fedometer.analysis.statistics;

import java.util.Objects;

/**
 * The natural logarithm of the ratio contender / baseline of a metric, with its error for intervals
 * of any confidence. Immutable, safe on any thread.
 *
 * @param scope which variation the standard error covers
 * @param logRatio natural logarithm of contender / baseline; NaN if one of the values is 0 or
 *     unknown
 * @param standardError of {@code logRatio}, at least 0
 * @param degreesOfFreedom of Student's t, more than 0
 * @param possible bounds of the logarithm due to the resolution of times; intervals include all of
 *     it
 */
public record LogRatio(
    Metric metric,
    Scope scope,
    double logRatio,
    double standardError,
    double degreesOfFreedom,
    Bounds possible) {
  public LogRatio {
    Objects.requireNonNull(metric);
    Objects.requireNonNull(scope);
    Objects.requireNonNull(possible);
    if (!(standardError >= 0) || !(degreesOfFreedom > 0)) {
      throw new IllegalArgumentException(
          "A standard error is 0 or more and degrees of freedom are above 0, not "
              + standardError
              + " and "
              + degreesOfFreedom
              + ".");
    }
  }

  /** Creates a ratio of exact values. */
  public LogRatio(
      Metric metric, Scope scope, double logRatio, double standardError, double degreesOfFreedom) {
    this(metric, scope, logRatio, standardError, degreesOfFreedom, new Bounds(logRatio, logRatio));
  }

  /** Returns the ratio for a difference of logarithms of exact values. */
  public static LogRatio of(Metric metric, MeanDifference ofLogarithms) {
    return new LogRatio(
        metric,
        ofLogarithms.scope(),
        ofLogarithms.difference(),
        ofLogarithms.standardError(),
        ofLogarithms.degreesOfFreedom());
  }

  /** Returns contender / baseline; NaN if undetermined. */
  public double ratio() {
    return Math.exp(logRatio);
  }

  /**
   * Returns the interval of the ratio.
   *
   * @param confidence between 0 and 1, such as 0.95
   * @return from 0, to infinity
   */
  public Bounds bounds(double confidence) {
    double half = Student.reach(standardError, degreesOfFreedom, confidence);
    return new Bounds(Math.exp(possible.low() - half), Math.exp(possible.high() + half));
  }

  /** Returns the probability of a ratio at least as far from 1 if there were no difference. */
  public double pValue() {
    double nearest = Math.max(0, Math.max(possible.low(), -possible.high()));
    return Student.pValue(nearest, standardError, degreesOfFreedom);
  }
}
