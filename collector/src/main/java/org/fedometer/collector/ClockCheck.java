package org.fedometer.collector;

import java.util.concurrent.TimeUnit;

/**
 * Whether the host's clock can be believed where belief deletes something. A clock that has leapt
 * forward, or that shows a time long after the store was last written, is believed once it has gone
 * on evenly for a day: one that was set wrongly is mostly noticed by then. For one thread.
 */
final class ClockCheck {
  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

  private boolean first = true;
  private boolean unreliable;
  private long lastEpochMillis;
  private long lastNanos;
  private long steadySinceNanos;

  /**
   * Asked again and again, in the order of time.
   *
   * @param epochMillis what the clock shows
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
