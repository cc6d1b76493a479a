package org.fedometer.datasets.random;

/**
 * File sizes: log-normal, with both tails cut off and spread over the rest, not added to the ends.
 * Immutable.
 */
public final class LogNormalSizes {

  /** No cut with an attainable median moves it further. */
  private static final double MAX_SHIFT = 4;

  private final double untruncatedMedianBytes;
  private final double sigma;
  private final int minBytes;
  private final int maxBytes;
  private final double minShare;
  private final double maxShare;

  /**
   * @param medianBytes the median of the resulting sizes, tails cut
   * @param sigma the standard deviation of the natural logarithm before the tails are cut
   */
  public LogNormalSizes(double medianBytes, double sigma, int minBytes, int maxBytes) {
    if (!(minBytes > 0 && minBytes < medianBytes && medianBytes < maxBytes && sigma > 0)) {
      throw new IllegalArgumentException(
          "sizes need 0 < least < median < most and sigma > 0, not %d, %f, %d and %f"
              .formatted(minBytes, medianBytes, maxBytes, sigma));
    }
    this.sigma = sigma;
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    this.untruncatedMedianBytes = untruncatedMedianBytes(medianBytes);
    this.minShare = share(minBytes, untruncatedMedianBytes);
    this.maxShare = share(maxBytes, untruncatedMedianBytes);
  }

  /** Returns the median with the tails that gives the requested median without them. */
  private double untruncatedMedianBytes(double medianBytes) {
    double low = medianBytes / MAX_SHIFT;
    double high = medianBytes * MAX_SHIFT;
    while (high / low > 1 + 1e-12) {
      double middle = StrictMath.sqrt(low * high);
      double half = (share(minBytes, middle) + share(maxBytes, middle)) / 2;
      if (middle * StrictMath.exp(sigma * Normal.quantile(half)) < medianBytes) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private double share(int bytes, double medianBytes) {
    return Normal.share(StrictMath.log(bytes / medianBytes) / sigma);
  }

  /** Returns one size in bytes. */
  public int next(StableRandom random) {
    double share = minShare + random.nextOpen() * (maxShare - minShare);
    double bytes = untruncatedMedianBytes * StrictMath.exp(sigma * Normal.quantile(share));
    return (int) Math.max(minBytes, Math.min(maxBytes, Math.round(bytes)));
  }

  /** Returns the mean size in bytes, tails cut. */
  public double meanBytes() {
    double untruncated = untruncatedMedianBytes * StrictMath.exp(sigma * sigma / 2);
    double lower = Normal.share(Normal.quantile(minShare) - sigma);
    double upper = maxShare < 1 ? Normal.share(Normal.quantile(maxShare) - sigma) : 1;
    return untruncated * (upper - lower) / (maxShare - minShare);
  }

  public int maxBytes() {
    return maxBytes;
  }
}
