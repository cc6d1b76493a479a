package org.fedometer.datasets.random;

/**
 * File sizes: log-normal, with both tails cut off (what would fall there is spread over the rest,
 * not piled up at the ends). Immutable.
 */
public final class LogNormalSizes {

  /** No cut that leaves a median where it can be met moves it further. */
  private static final double LARGEST_SHIFT = 4;

  private final double wholeMedianBytes;
  private final double sigma;
  private final int leastBytes;
  private final int mostBytes;
  private final double leastShare;
  private final double mostShare;

  /**
   * @param medianBytes median of the sizes that come out, tails cut
   * @param sigma standard deviation of the natural logarithm before the tails are cut
   */
  public LogNormalSizes(double medianBytes, double sigma, int leastBytes, int mostBytes) {
    if (!(leastBytes > 0 && leastBytes < medianBytes && medianBytes < mostBytes && sigma > 0)) {
      throw new IllegalArgumentException(
          "sizes need 0 < least < median < most and sigma > 0, not %d, %f, %d and %f"
              .formatted(leastBytes, medianBytes, mostBytes, sigma));
    }
    this.sigma = sigma;
    this.leastBytes = leastBytes;
    this.mostBytes = mostBytes;
    this.wholeMedianBytes = wholeMedianBytes(medianBytes);
    this.leastShare = share(leastBytes, wholeMedianBytes);
    this.mostShare = share(mostBytes, wholeMedianBytes);
  }

  /** The median of the distribution with its tails, so that without them it is the one wanted. */
  private double wholeMedianBytes(double medianBytes) {
    double low = medianBytes / LARGEST_SHIFT;
    double high = medianBytes * LARGEST_SHIFT;
    while (high / low > 1 + 1e-12) {
      double middle = StrictMath.sqrt(low * high);
      double half = (share(leastBytes, middle) + share(mostBytes, middle)) / 2;
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

  /** One size in bytes. */
  public int next(StableRandom random) {
    double share = leastShare + random.nextOpen() * (mostShare - leastShare);
    double bytes = wholeMedianBytes * StrictMath.exp(sigma * Normal.quantile(share));
    return (int) Math.max(leastBytes, Math.min(mostBytes, Math.round(bytes)));
  }

  /** Mean size in bytes, tails cut. */
  public double meanBytes() {
    double whole = wholeMedianBytes * StrictMath.exp(sigma * sigma / 2);
    double least = Normal.share(Normal.quantile(leastShare) - sigma);
    double most = mostShare < 1 ? Normal.share(Normal.quantile(mostShare) - sigma) : 1;
    return whole * (most - least) / (mostShare - leastShare);
  }

  public int mostBytes() {
    return mostBytes;
  }
}
