package org.fedometer.experiments.job;

/**
 * One moment by both clocks: what another process has put on record by the calendar, in this one's
 * {@code System.nanoTime()}, and the other way round. Both are read at once, so that what is worked
 * out with one moment fits together however long that takes. Immutable.
 *
 * @param nanos of {@code System.nanoTime()}
 * @param epochMillis by the calendar
 */
public record Moment(long nanos, long epochMillis) {

  /** What this process's clock would have shown at a time of day. */
  public long nanosOf(long timeOfDayMillis) {
    return nanos - (epochMillis - timeOfDayMillis) * 1_000_000;
  }

  /** The time of day when this process's clock showed so much. */
  public long epochMillisOf(long shownNanos) {
    return epochMillis - (nanos - shownNanos) / 1_000_000;
  }
}
