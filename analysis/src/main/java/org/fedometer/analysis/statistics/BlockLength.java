package org.fedometer.analysis.statistics;

import java.util.Arrays;

/**
 * Estimates the optimal mean block length of a stationary bootstrap from the series. Pure, safe on
 * any thread.
 *
 * <p>Source: D. N. Politis and H. White, "Automatic block-length selection for the dependent
 * bootstrap", Econometric Reviews 23(1), 2004, with the correction of A. Patton, D. N. Politis and
 * H. White, Econometric Reviews 28(4), 2009.
 *
 * <p>The length minimizes the mean squared error of the estimated variance of the mean. It is
 * {@code (2 G^2 / D)^(1/3) n^(1/3)} with {@code G = sum |k| R(k)} and {@code D = 2 (sum R(k))^2}
 * over autocovariances weighted by a flat-top window. The window is twice the first of {@code
 * max(5, log10 n)} consecutive lags with autocorrelations below {@code 2 sqrt(log10 n / n)}, as in
 * the implementations by the authors, in R's {@code np} and in Python's {@code arch}.
 */
public final class BlockLength {

  private static final int MIN_OBSERVATIONS = 8;

  private BlockLength() {}

  /**
   * Returns the mean block length for the stationary bootstrap.
   *
   * @param series finite values, 8 or more
   * @return in observations, from 1 to {@code ceil(min(3 sqrt n, n / 3))}; 1 for a constant series
   */
  public static double stationary(double[] series) {
    int n = series.length;
    if (n < MIN_OBSERVATIONS) {
      throw new IllegalArgumentException(
          "A block length is found from "
              + MIN_OBSERVATIONS
              + " observations or more, not from "
              + n
              + ".");
    }
    double mean = Arrays.stream(series).sum() / n;
    double[] deviations = new double[n];
    for (int i = 0; i < n; i++) {
      deviations[i] = series[i] - mean;
    }
    int runLength = Math.max(5, (int) Math.log10(n));
    int farthest = Math.min(n - 1, (int) Math.ceil(Math.sqrt(n)) + runLength);
    double[] covariances = new double[farthest + 1];
    for (int lag = 0; lag <= farthest; lag++) {
      double sum = 0;
      for (int i = lag; i < n; i++) {
        sum += deviations[i] * deviations[i - lag];
      }
      covariances[lag] = sum / n;
    }
    // A constant series has rounding errors only.
    if (!(covariances[0] > 1e-24 * mean * mean)) {
      return 1;
    }
    int window = window(covariances, runLength, 2 * Math.sqrt(Math.log10(n) / n));
    double weighted = 0;
    double longRun = covariances[0];
    for (int lag = 1; lag <= window; lag++) {
      double share = (double) lag / window;
      double weight = share <= 0.5 ? 1 : 2 * (1 - share);
      weighted += 2 * weight * lag * covariances[lag];
      longRun += 2 * weight * covariances[lag];
    }
    double length = Math.cbrt(weighted * weighted / (longRun * longRun) * n);
    double maxLength = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3.0));
    return Math.max(1, Math.min(length, maxLength));
  }

  /** Returns the number of lags that count: the window's M. */
  private static int window(double[] covariances, int runLength, double critical) {
    int farthest = covariances.length - 1;
    int quiet = 0;
    for (int lag = 1; lag < farthest; lag++) {
      quiet = Math.abs(covariances[lag]) < critical * covariances[0] ? quiet + 1 : 0;
      if (quiet == runLength) {
        int first = lag - runLength + 1;
        return Math.min(2 * first, farthest);
      }
    }
    return farthest;
  }
}
