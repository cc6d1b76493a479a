package org.fedometer.analysis.timeline;

/** Lengths that people can read off an axis: 1, 2 or 5 times a power of ten. Pure. */
final class BucketLength {
  private BucketLength() {}

  /**
   * The shortest of them, 1 at least, of which so many cover a length.
   *
   * @param length to be covered, in any unit
   * @param max how many there may be, 1 or more
   */
  static long of(double length, int max) {
    for (long power = 1; power <= 100_000_000_000_000_000L; power *= 10) {
      for (int digit : new int[] {1, 2, 5}) {
        // One more begins where the length is a multiple of it.
        if (Math.floor(length / (digit * power)) + 1 <= max) {
          return digit * power;
        }
      }
    }
    return 1_000_000_000_000_000_000L;
  }
}
