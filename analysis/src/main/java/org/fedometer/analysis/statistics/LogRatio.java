package org.fedometer.analysis.statistics;

import java.util.Objects;

/**
 * The ratio of a contender's figure to the baseline's, as its natural logarithm, with what an
 * interval at any confidence needs. Immutable, safe on any thread.
 *
 * @param scope which variation the standard error covers
 * @param logRatio natural logarithm of contender / baseline; NaN where one of the figures is 0, or
 *     not known
 * @param standardError of {@code logRatio}, 0 or more
 * @param degreesOfFreedom of Student's t, more than 0
 * @param possible between these the logarithm lies as far as the times are exact; an interval holds
 *     all of it
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

  /** Of figures that are exact. */
  public LogRatio(
      Metric metric, Scope scope, double logRatio, double standardError, double degreesOfFreedom) {
    this(metric, scope, logRatio, standardError, degreesOfFreedom, new Bounds(logRatio, logRatio));
  }

  /** By how much the logarithms of the figures differ, which are exact. */
  public static LogRatio of(Metric metric, MeanDifference ofLogarithms) {
    return new LogRatio(
        metric,
        ofLogarithms.scope(),
        ofLogarithms.difference(),
        ofLogarithms.standardError(),
        ofLogarithms.degreesOfFreedom());
  }

  /** Contender / baseline; NaN where it cannot be told. */
  public double ratio() {
    return Math.exp(logRatio);
  }

  /**
   * The interval of the ratio.
   *
   * @param confidence between 0 and 1, such as 0.95
   * @return from 0, to infinity
   */
  public Bounds bounds(double confidence) {
    double half = Student.reach(standardError, degreesOfFreedom, confidence);
    return new Bounds(Math.exp(possible.low() - half), Math.exp(possible.high() + half));
  }

  /** Probability of a ratio at least as far from 1 if there were no difference. */
  public double pValue() {
    double nearest = Math.max(0, Math.max(possible.low(), -possible.high()));
    return Student.pValue(nearest, standardError, degreesOfFreedom);
  }
}
