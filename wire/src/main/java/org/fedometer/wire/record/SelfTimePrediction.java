package org.fedometer.wire.record;

/**
 * Foresees a stage's self time from the samples before it, so that it need not be sent. Samples of
 * a thread are written when their stage ends, children before their parent: the self time of a
 * sample is its total less the totals of the finished samples that began no earlier than it did.
 * Encoder and decoder keep one each, in step.
 */
final class SelfTimePrediction {
  static final int CAPACITY = 64;

  private final long[] starts = new long[CAPACITY];
  private final long[] durations = new long[CAPACITY];
  private int size;

  /** Forgets all: another thread or another trace begins. */
  void reset() {
    size = 0;
  }

  /** The self time foreseen for the sample, which becomes the newest finished one. */
  long next(long startNanos, long durationNanos) {
    long selfNanos = durationNanos;
    while (size > 0 && starts[size - 1] - startNanos >= 0) {
      selfNanos -= durations[--size];
    }
    if (size == CAPACITY) {
      size = 0;
    }
    starts[size] = startNanos;
    durations[size++] = durationNanos;
    return selfNanos;
  }
}
