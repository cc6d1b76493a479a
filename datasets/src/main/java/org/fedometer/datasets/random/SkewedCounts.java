package org.fedometer.datasets.random;

/**
 * Counts with given quartiles, many small and few large: log-normal on either side of the median.
 * Immutable.
 */
public final class SkewedCounts {

  /** Upper quartile of the standard normal distribution. */
  private static final double QUARTILE = Normal.quantile(0.75);

  private final int median;
  private final double lowerSigma;
  private final double upperSigma;
  private final int max;

  /**
   * @param lower the lower quartile; above 0
   * @param median the median
   * @param upper the upper quartile
   * @param max the limit; larger counts become this
   */
  public SkewedCounts(int lower, int median, int upper, int max) {
    if (!(0 < lower && lower < median && median < upper && upper < max)) {
      throw new IllegalArgumentException(
          "counts need 0 < lower < median < upper < most, not %d, %d, %d and %d"
              .formatted(lower, median, upper, max));
    }
    this.median = median;
    this.lowerSigma = StrictMath.log((double) median / lower) / QUARTILE;
    this.upperSigma = StrictMath.log((double) upper / median) / QUARTILE;
    this.max = max;
  }

  /** Returns one count, at least 1. */
  public int next(StableRandom random) {
    double z = Normal.quantile(random.nextOpen());
    double count = median * StrictMath.exp(z * (z < 0 ? lowerSigma : upperSigma));
    return (int) Math.max(1, Math.min(max, Math.round(count)));
  }
}
