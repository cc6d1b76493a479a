package org.fedometer.driver.request;

/**
 * When a request should be sent: at a time of a schedule, or, in a closed model, when it is sent.
 *
 * @param scheduled whether there is such a time
 * @param nanos that time by {@code System.nanoTime()}
 */
public record IntendedStart(boolean scheduled, long nanos) {

  private static final IntendedStart WHEN_SENT = new IntendedStart(false, 0);

  /** In a closed model: whenever it is sent, it is not late. */
  public static IntendedStart whenSent() {
    return WHEN_SENT;
  }

  /**
   * @param nanos by {@code System.nanoTime()}; a request that is sent after it is late
   */
  public static IntendedStart at(long nanos) {
    return new IntendedStart(true, nanos);
  }

  /** The intended start of a request that was sent at {@code startNanos}. */
  public long intendedStartNanos(long startNanos) {
    return scheduled && startNanos - nanos > 0 ? nanos : startNanos;
  }
}
