package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.statistics.ChangePoints.ChangePoint;

/**
 * The levels of a series between its relevant change points: those whose means differ by more than
 * a threshold, and by more than chance and dependence explain. The permutation test that found them
 * detects different distributions, not means, and assumes independent observations. So each change
 * of mean is tested again. Irrelevant ones are dropped, the smallest first, which merges their
 * neighbors. Confined to a call.
 */
final class Regimes {

  /**
   * Minimum change of a mean in standard errors: the square root of the critical value at 1 % for
   * one parameter and changes not in the first or last 5 % of the series, of D. W. K. Andrews,
   * "Tests for parameter instability and structural change with unknown change point", Econometrica
   * 61(4), 1993, table I.
   */
  private static final double SIGNIFICANT_CHANGE = Math.sqrt(13.01);

  private final double[] means;
  private final List<ChangePoint> points;

  /**
   * @param means of intervals, positive
   * @param found change points of them, in order
   * @param threshold smallest relevant relative difference
   */
  Regimes(double[] means, List<ChangePoint> found, double threshold) {
    this.means = means;
    this.points = new ArrayList<>(found);
    while (dropSmallest(false, threshold) || dropSmallest(true, SIGNIFICANT_CHANGE)) {
      // Dropping alters means and errors.
    }
  }

  /** Drops the smallest or least significant change if it is not above the bound. */
  private boolean dropSmallest(boolean inErrors, double bound) {
    int dropped = -1;
    double smallest = bound;
    double spread = inErrors ? spread() : 0;
    for (int i = 0; i < points.size(); i++) {
      double difference = Math.abs(mean(i + 1) - mean(i));
      double error = spread * Math.sqrt(1.0 / size(i) + 1.0 / size(i + 1));
      double relative = difference / (inErrors ? error : mean(i));
      if (relative <= smallest) {
        smallest = relative;
        dropped = i;
      }
    }
    if (dropped >= 0) {
      points.remove(dropped);
    }
    return dropped >= 0;
  }

  int count() {
    return points.size() + 1;
  }

  int begin(int regime) {
    return regime == 0 ? 0 : points.get(regime - 1).index();
  }

  /** Returns the interval after the last one of a level. */
  int end(int regime) {
    return regime == points.size() ? means.length : points.get(regime).index();
  }

  private int size(int regime) {
    return end(regime) - begin(regime);
  }

  double mean(int regime) {
    double sum = 0;
    for (int i = begin(regime); i < end(regime); i++) {
      sum += means[i];
    }
    return sum / size(regime);
  }

  /** Returns the p-value of the change that begins a level other than the first. */
  double pValue(int regime) {
    return points.get(regime - 1).pValue();
  }

  /**
   * Compares by the Bayesian information criterion: a line has two parameters, k changes have 2 k +
   * 1.
   */
  boolean worseThan(Line line) {
    int n = means.length;
    double ofRegimes =
        n * Math.log(residuals().squares() / n) + (2 * points.size() + 1) * Math.log(n);
    double ofLine = n * Math.log(line.squares() / n) + 2 * Math.log(n);
    return ofLine < ofRegimes;
  }

  /**
   * Returns the standard deviation of the mean of n intervals within a level, times the root of n.
   */
  private double spread() {
    int n = means.length;
    Residuals residuals = residuals();
    double autocorrelation =
        residuals.squares() > 0 ? residuals.neighbours() / residuals.squares() : 0;
    double effective = Line.effectiveSize(n, autocorrelation, count());
    return Math.sqrt(residuals.squares() / Math.max(1, n - count()) * n / effective);
  }

  /** Sums of squares, and of products of neighbors, of deviations from the levels. */
  private record Residuals(double squares, double neighbours) {}

  private Residuals residuals() {
    double squares = 0;
    double neighbours = 0;
    for (int regime = 0; regime < count(); regime++) {
      double mean = mean(regime);
      double previous = 0;
      for (int i = begin(regime); i < end(regime); i++) {
        double residual = means[i] - mean;
        squares += residual * residual;
        neighbours += residual * previous;
        previous = residual;
      }
    }
    return new Residuals(squares, neighbours);
  }
}
