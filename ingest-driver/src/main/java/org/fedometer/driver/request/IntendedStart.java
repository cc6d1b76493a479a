package org.fedometer.driver.request;

/**
 * Intended start of a request: scheduled, or, in a closed model, the time of sending.
 *
 * @param scheduled true if there is a scheduled time
 * @param nanos that time by {@code System.nanoTime()}
 */
public record IntendedStart(boolean scheduled, long nanos) {

  private static final IntendedStart WHEN_SENT = new IntendedStart(false, 0);

  /** Returns the intended start in a closed model, in which no request is late. */
  public static IntendedStart whenSent() {
    return WHEN_SENT;
  }

  /**
   * @param nanos by {@code System.nanoTime()}; a request sent later is late
   */
  public static IntendedStart at(long nanos) {
    return new IntendedStart(true, nanos);
  }

  /** Returns the intended start of a request sent at {@code startNanos}. */
  public long intendedStartNanos(long startNanos) {
    return scheduled && startNanos - nanos > 0 ? nanos : startNanos;
  }
}
