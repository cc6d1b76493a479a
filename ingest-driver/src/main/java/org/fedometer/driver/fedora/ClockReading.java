package org.fedometer.driver.fedora;

/**
 * One question after the time by Fedora's clock.
 *
 * @param askedMillis by our clock, before
 * @param saidMillis the time that the answer gave, in whole seconds
 * @param answeredMillis by our clock, after
 */
public record ClockReading(long askedMillis, long saidMillis, long answeredMillis) {

  /** An answer's date leaves out the fraction, and Tomcat keeps it for up to a second. */
  private static final long LATE_MILLIS = 2000;

  /** Fedora's clock is ahead of ours by at least that; negative if it is behind. */
  long leastAheadMillis() {
    return saidMillis - answeredMillis;
  }

  long mostAheadMillis() {
    return saidMillis + LATE_MILLIS - askedMillis;
  }
}
