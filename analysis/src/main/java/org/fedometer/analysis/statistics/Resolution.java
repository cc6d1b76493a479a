package org.fedometer.analysis.statistics;

/**
 * Finds the resolution of times: the largest power of ten that all of them are multiples of, which
 * is the step of the clock or of the file that they come from. A few different values say little of
 * a step; then it is no more than the unit in which the times were written. One use, one thread.
 */
public final class Resolution {

  /** Nobody measures requests by a coarser clock. */
  private static final long MAX_UNIT_NANOS = 1_000_000_000;

  /** So many different times do not all end with a zero by chance. */
  private static final int MIN_VALUES = 5;

  private final long unitNanos;
  private final long[] different = new long[MIN_VALUES];
  private int values;
  private long step = MAX_UNIT_NANOS;

  /**
   * @param unitNanos the unit in which the times were written, 1 or more
   */
  public Resolution(long unitNanos) {
    this.unitNanos = unitNanos;
  }

  /**
   * Takes a time into account. A time of 0 says nothing.
   *
   * @param nanos 0 or more
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

  /** The resolution of the times so far, nanoseconds, 1 or more. */
  public long nanos() {
    return values < MIN_VALUES ? Math.min(step, unitNanos) : step;
  }

  /**
   * Finds the resolution of many times.
   *
   * @param nanos each 0 or more
   * @param unitNanos the unit in which they were written, 1 or more
   */
  public static long of(long[] nanos, long unitNanos) {
    Resolution resolution = new Resolution(unitNanos);
    for (int i = 0; i < nanos.length && resolution.step > 1; i++) {
      resolution.add(nanos[i]);
    }
    return resolution.nanos();
  }
}
