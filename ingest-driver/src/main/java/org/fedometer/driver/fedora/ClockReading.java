package org.fedometer.driver.fedora;

/**
 * One question after the time by Fedora's clock.
 *
 * @param sentMillis by our clock, before
 * @param serverMillis the time that the answer gave, in whole seconds
 * @param receivedMillis by our clock, after
 */
public record ClockReading(long sentMillis, long serverMillis, long receivedMillis) {

  /** An answer's date leaves out the fraction, and Tomcat keeps it for up to a second. */
  private static final long LATE_MILLIS = 2000;

  /** Fedora's clock is ahead of ours by at least that; negative if it is behind. */
  long minAheadMillis() {
    return serverMillis - receivedMillis;
  }

  long maxAheadMillis() {
    return serverMillis + LATE_MILLIS - sentMillis;
  }
}
