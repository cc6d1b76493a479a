package org.fedometer.experiments.job;

/**
 * One moment by both clocks, for conversion between the calendar times of other processes and this
 * one's {@code System.nanoTime()}. Conversions by one moment are consistent. Immutable.
 *
 * @param nanos of {@code System.nanoTime()}
 * @param epochMillis by the calendar
 */
public record Moment(long nanos, long epochMillis) {

  /** Returns {@code System.nanoTime()} for a calendar time. */
  public long nanosOf(long timeOfDayMillis) {
    return nanos - (epochMillis - timeOfDayMillis) * 1_000_000;
  }

  /** Returns the calendar time for a {@code System.nanoTime()}. */
  public long epochMillisOf(long shownNanos) {
    return epochMillis - (nanos - shownNanos) / 1_000_000;
  }
}
