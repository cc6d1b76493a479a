package org.fedometer.analysis.compare;

import java.util.Objects;
import org.apache.commons.statistics.distribution.TDistribution;
import org.fedometer.analysis.statistics.Bounds;
import org.fedometer.analysis.statistics.Scope;

/**
 * By how much a mean of the contender is above that of the baseline, and how well that is known.
 * Immutable.
 *
 * @param difference contender minus baseline, in their unit
 * @param standardError of the difference, 0 or more
 * @param degreesOfFreedom of Student's t, more than 0
 * @param scope which variation the error covers
 */
record MeanDifference(
    double difference, double standardError, double degreesOfFreedom, Scope scope) {

  MeanDifference {
    Objects.requireNonNull(scope, "scope");
  }

  /** Of independent runs, two or more each, whose spread may differ (B. L. Welch, 1947). */
  static MeanDifference ofRuns(double[] baseline, double[] contender) {
    double ofBaseline = variance(baseline) / baseline.length;
    double ofContender = variance(contender) / contender.length;
    return new MeanDifference(
        mean(contender) - mean(baseline),
        Math.sqrt(ofBaseline + ofContender),
        welch(ofBaseline, baseline.length - 1, ofContender, contender.length - 1),
        Scope.BETWEEN_RUNS);
  }

  /** Of runs that took turns, two pairs or more: the i-th with the i-th. */
  static MeanDifference ofPairs(double[] baseline, double[] contender) {
    double[] differences = new double[baseline.length];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = contender[i] - baseline[i];
    }
    return new MeanDifference(
        mean(differences),
        Math.sqrt(variance(differences) / differences.length),
        differences.length - 1,
        Scope.BETWEEN_RUNS);
  }

  /** Of means with the errors that they have within their runs. */
  static MeanDifference withinRuns(
      double baseline,
      StageTime.MeanError ofBaseline,
      double contender,
      StageTime.MeanError ofContender) {
    double baselineVariance = ofBaseline.standard() * ofBaseline.standard();
    double contenderVariance = ofContender.standard() * ofContender.standard();
    return new MeanDifference(
        contender - baseline,
        Math.sqrt(baselineVariance + contenderVariance),
        welch(
            baselineVariance,
            ofBaseline.degreesOfFreedom(),
            contenderVariance,
            ofContender.degreesOfFreedom()),
        Scope.WITHIN_RUN);
  }

  /** Degrees of freedom of a sum of two variances (F. E. Satterthwaite, 1946). */
  private static double welch(
      double first, double firstDegrees, double second, double secondDegrees) {
    double sum = first + second;
    return sum > 0
        ? sum * sum / (first * first / firstDegrees + second * second / secondDegrees)
        : firstDegrees + secondDegrees;
  }

  /**
   * The interval of the difference.
   *
   * @param confidence between 0 and 1, such as 0.95
   */
  Bounds bounds(double confidence) {
    double half =
        standardError
            * TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - confidence) / 2);
    return new Bounds(difference - half, difference + half);
  }

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return squares / (values.length - 1);
  }
}
