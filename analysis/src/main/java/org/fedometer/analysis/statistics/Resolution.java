package org.fedometer.analysis.statistics;

/**
 * Finds the resolution of times: the largest power of ten that divides all of them, the step of
 * their clock or file. Few different values are not conclusive; the resolution is then at most the
 * unit in which the times were written. One use, one thread.
 */
public final class Resolution {

  /** Coarsest plausible clock. */
  private static final long MAX_UNIT_NANOS = 1_000_000_000;

  /** Number of different times that do not all end with a zero by chance. */
  private static final int MIN_VALUES = 5;

  private final long unitNanos;
  private final long[] different = new long[MIN_VALUES];
  private int values;
  private long step = MAX_UNIT_NANOS;

  /**
   * @param unitNanos unit in which the times were written, at least 1
   */
  public Resolution(long unitNanos) {
    this.unitNanos = unitNanos;
  }

  /**
   * Adds a time. A time of 0 has no effect.
   *
   * @param nanos at least 0
   */
  public void add(long nanos) {
    while (nanos % step != 0) {
      step /= 10;
    }
    for (int i = 0; i < values; i++) {
      if (different[i] == nanos) {
        return;
      }
    }
    if (nanos != 0 && values < MIN_VALUES) {
      different[values++] = nanos;
    }
  }

  /** Returns the resolution of the times so far, nanoseconds, at least 1. */
  public long nanos() {
    return values < MIN_VALUES ? Math.min(step, unitNanos) : step;
  }

  /**
   * Returns the resolution of many times.
   *
   * @param nanos each at least 0
   * @param unitNanos unit in which they were written, at least 1
   */
  public static long of(long[] nanos, long unitNanos) {
    Resolution resolution = new Resolution(unitNanos);
    for (int i = 0; i < nanos.length && resolution.step > 1; i++) {
      resolution.add(nanos[i]);
    }
    return resolution.nanos();
  }
}
