package org.fedometer.datasets.random;

/**
 * File sizes: log-normal, with both tails cut off (what would fall there is spread over the rest,
 * not piled up at the ends).
 */
public final class LogNormalSizes {

  private final double medianBytes;
  private final double sigma;
  private final int leastBytes;
  private final int mostBytes;
  private final double leastShare;
  private final double mostShare;

  /**
   * @param medianBytes median before the tails are cut
   * @param sigma standard deviation of the natural logarithm
   * @param leastBytes smallest size
   * @param mostBytes largest size
   */
  public LogNormalSizes(double medianBytes, double sigma, int leastBytes, int mostBytes) {
    if (!(leastBytes > 0 && leastBytes < medianBytes && medianBytes < mostBytes && sigma > 0)) {
      throw new IllegalArgumentException(
          "sizes need 0 < least < median < most and sigma > 0, not %d, %f, %d and %f"
              .formatted(leastBytes, medianBytes, mostBytes, sigma));
    }
    this.medianBytes = medianBytes;
    this.sigma = sigma;
    this.leastBytes = leastBytes;
    this.mostBytes = mostBytes;
    this.leastShare = Normal.share(StrictMath.log(leastBytes / medianBytes) / sigma);
    this.mostShare = Normal.share(StrictMath.log(mostBytes / medianBytes) / sigma);
  }

  /** One size in bytes. */
  public int next(StableRandom random) {
    double share = leastShare + random.nextOpen() * (mostShare - leastShare);
    double bytes = medianBytes * StrictMath.exp(sigma * Normal.quantile(share));
    return (int) Math.max(leastBytes, Math.min(mostBytes, Math.round(bytes)));
  }

  /** Mean size in bytes, tails cut. */
  public double meanBytes() {
    double whole = medianBytes * StrictMath.exp(sigma * sigma / 2);
    double least = Normal.share(Normal.quantile(leastShare) - sigma);
    double most = mostShare < 1 ? Normal.share(Normal.quantile(mostShare) - sigma) : 1;
    return whole * (most - least) / (mostShare - leastShare);
  }

  public int leastBytes() {
    return leastBytes;
  }

  public int mostBytes() {
    return mostBytes;
  }
}
