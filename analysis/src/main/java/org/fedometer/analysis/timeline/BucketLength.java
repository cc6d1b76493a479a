package org.fedometer.analysis.timeline;

/** Chooses readable lengths for axes: 1, 2 or 5 times a power of ten. Pure. */
final class BucketLength {
  private BucketLength() {}

  /**
   * Returns the shortest such length, at least 1, with which {@code max} buckets cover a length.
   *
   * @param length total length, in any unit
   * @param max maximum number of buckets, at least 1
   */
  static long of(double length, int max) {
    for (long power = 1; power <= 100_000_000_000_000_000L; power *= 10) {
      for (int digit : new int[] {1, 2, 5}) {
        // One more starts if the length is a multiple of it.
        if (Math.floor(length / (digit * power)) + 1 <= max) {
          return digit * power;
        }
      }
    }
    return 1_000_000_000_000_000_000L;
  }
}
