package org.fedometer.benchmarks.overhead;

/** The woven method once more, in a class that is not woven. One object for each thread. */
final class Yardsticks {

  private long spentNanos;

  /** What the loop and the calls cost by themselves. */
  int bare(int depth) {
    return depth > 1 ? bare(depth - 1) : depth;
  }

  /** The least that a timed call can cost. */
  int twoClocks(int depth) {
    long start = System.nanoTime();
    try {
      return depth > 1 ? twoClocks(depth - 1) : depth;
    } finally {
      spentNanos += System.nanoTime() - start;
    }
  }

  /** Keeps the clocks' results alive. */
  long spentNanos() {
    return spentNanos;
  }
}
