package org.fedometer.collector;

import java.util.concurrent.TimeUnit;

/**
 * Checks that the host's clock is reliable enough to delete old data.
 *
 * <p>A clock is unreliable if it leapt forward or is far ahead of the store's newest data. It
 * becomes reliable again after a day of even progress, since wrong clocks are mostly noticed by
 * then. For one thread.
 */
final class ClockCheck {
  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

  private boolean first = true;
  private boolean unreliable;
  private long lastEpochMillis;
  private long lastNanos;
  private long steadySinceNanos;

  /**
   * Returns whether the clock is reliable. Call repeatedly, in order of time.
   *
   * @param epochMillis the clock's time
   * @param nanos {@code System.nanoTime()}
   * @param newestEpochMillis when the newest file in the store was written, as far as known
   */
  boolean isReliable(long epochMillis, long nanos, long newestEpochMillis) {
    long expected =
        first
            ? newestEpochMillis
            : lastEpochMillis + TimeUnit.NANOSECONDS.toMillis(nanos - lastNanos);
    if (epochMillis - expected > DAY_MILLIS) {
      unreliable = true;
      steadySinceNanos = nanos;
    } else if (unreliable && nanos - steadySinceNanos >= TimeUnit.DAYS.toNanos(1)) {
      unreliable = false;
    }
    first = false;
    lastEpochMillis = epochMillis;
    lastNanos = nanos;
    return !unreliable;
  }
}
