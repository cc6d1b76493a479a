package org.fedometer.wire.record;

/**
 * Predicts a stage's self time from earlier samples, so that it need not be sent. A thread's
 * samples are written at their stage's end, children before their parent. So the self time is the
 * duration less the durations of finished samples that did not start earlier. Encoder and decoder
 * keep one each, in step.
 */
final class SelfTimePrediction {
  static final int CAPACITY = 64;

  private final long[] starts = new long[CAPACITY];
  private final long[] durations = new long[CAPACITY];
  private int size;

  /** Discards all samples: another thread or trace starts. */
  void reset() {
    size = 0;
  }

  /** Returns the predicted self time of the sample, which becomes the newest finished one. */
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
