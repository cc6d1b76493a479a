package org.fedometer.driver.fedora;

/**
 * One reading of Fedora's clock.
 *
 * @param sentMillis this host's clock before
 * @param serverMillis the response's date, in whole seconds
 * @param receivedMillis this host's clock after
 */
public record ClockReading(long sentMillis, long serverMillis, long receivedMillis) {

  /** A response's date lacks the fraction, and Tomcat caches it for up to a second. */
  private static final long LATE_MILLIS = 2000;

  /** Returns a lower bound of Fedora's offset; negative if its clock is behind. */
  long minAheadMillis() {
    return serverMillis - receivedMillis;
  }

  long maxAheadMillis() {
    return serverMillis + LATE_MILLIS - sentMillis;
  }
}
