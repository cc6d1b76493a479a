package org.fedometer.wire.record;

/**
 * Foresees a stage's own time from the samples before it, so that it need not be sent. Samples of a
 * thread are written when their stage ends, children before their parent: the own time of a sample
 * is its total less the totals of the finished samples that began no earlier than it did. Encoder
 * and decoder keep one each, in step.
 */
final class OwnTimePrediction {
  static final int CAPACITY = 64;

  private final long[] starts = new long[CAPACITY];
  private final long[] totals = new long[CAPACITY];
  private int size;

  /** Forgets all: another thread or another trace begins. */
  void reset() {
    size = 0;
  }

  /** The own time foreseen for the sample, which becomes the newest finished one. */
  long next(long startNanos, long totalNanos) {
    long own = totalNanos;
    while (size > 0 && starts[size - 1] - startNanos >= 0) {
      own -= totals[--size];
    }
    if (size == CAPACITY) {
      size = 0;
    }
    starts[size] = startNanos;
    totals[size++] = totalNanos;
    return own;
  }
}
