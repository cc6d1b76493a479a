package org.fedometer.analysis.statistics;

import java.util.Arrays;
import java.util.Objects;

/**
 * The difference between means of contender and baseline with its error. The only implementation of
 * t intervals for runs, pairs and errors within runs. Immutable, safe on any thread.
 *
 * @param difference contender minus baseline, in their unit
 * @param standardError of the difference, at least 0
 * @param degreesOfFreedom of Student's t, more than 0
 * @param scope which variation the error covers
 */
public record MeanDifference(
    double difference, double standardError, double degreesOfFreedom, Scope scope) {

  public MeanDifference {
    Objects.requireNonNull(scope, "scope");
  }

  /**
   * A mean with its uncertainty.
   *
   * @param variance of the mean, the square of its standard error
   * @param degreesOfFreedom of that variance, more than 0
   */
  public record Mean(double value, double variance, double degreesOfFreedom) {

    private static Mean of(double[] values) {
      return new Mean(
          MeanDifference.mean(values),
          MeanDifference.variance(values) / values.length,
          values.length - 1);
    }
  }

  /**
   * Returns the difference of independent runs, at least two each, with possibly different
   * variances. Source: B. L. Welch, "The generalization of 'Student's' problem when several
   * different population variances are involved", Biometrika 34, 1947; degrees of freedom by F. E.
   * Satterthwaite, Biometrics Bulletin 2(6), 1946.
   */
  public static MeanDifference ofRuns(double[] baseline, double[] contender) {
    return between(Mean.of(baseline), Mean.of(contender), Scope.BETWEEN_RUNS);
  }

  /** Returns the difference of interleaved runs, at least two pairs: the i-th with the i-th. */
  public static MeanDifference ofPairs(double[] baseline, double[] contender) {
    double[] differences = new double[baseline.length];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = contender[i] - baseline[i];
    }
    Mean mean = Mean.of(differences);
    return new MeanDifference(
        mean.value(), Math.sqrt(mean.variance()), mean.degreesOfFreedom(), Scope.BETWEEN_RUNS);
  }

  /** Returns the difference of means with errors within their runs. */
  public static MeanDifference withinRuns(Mean baseline, Mean contender) {
    return between(baseline, contender, Scope.WITHIN_RUN);
  }

  private static MeanDifference between(Mean baseline, Mean contender, Scope scope) {
    double first = baseline.variance();
    double second = contender.variance();
    double sum = first + second;
    double degreesOfFreedom =
        sum > 0
            ? sum
                * sum
                / (first * first / baseline.degreesOfFreedom()
                    + second * second / contender.degreesOfFreedom())
            : baseline.degreesOfFreedom() + contender.degreesOfFreedom();
    return new MeanDifference(
        contender.value() - baseline.value(), Math.sqrt(sum), degreesOfFreedom, scope);
  }

  /**
   * Returns the interval of the difference.
   *
   * @param confidence between 0 and 1, such as 0.95
   */
  public Bounds bounds(double confidence) {
    double half = Student.reach(standardError, degreesOfFreedom, confidence);
    return new Bounds(difference - half, difference + half);
  }

  /**
   * @param values one or more
   */
  public static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  /** Returns the sample variance of two or more values, with divisor n - 1. */
  static double variance(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return squares / (values.length - 1);
  }
}
