package org.fedometer.driver.fedora;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Bounds of the offset of Fedora's clock from this host's. A response's date has whole seconds and
 * may be a second old; several requests narrow the two seconds that one leaves.
 *
 * @param minAheadMillis lower bound; negative if Fedora's clock may be behind
 * @param maxAheadMillis upper bound
 */
public record ClockOffset(long minAheadMillis, long maxAheadMillis) {

  /** Odd, so that requests fall on different parts of a second. */
  private static final Duration REQUEST_INTERVAL = Duration.ofMillis(170);

  /**
   * @return empty if the responses have no date
   */
  public static Optional<ClockOffset> measure(FedoraSession session, int requests)
      throws IOException {
    Optional<ClockOffset> known = Optional.empty();
    for (int i = 0; i < requests; i++) {
      if (i > 0) {
        LockSupport.parkNanos(REQUEST_INTERVAL.toNanos());
      }
      Optional<ClockReading> reading = session.readClock();
      if (reading.isEmpty()) {
        return Optional.empty();
      }
      ClockOffset one = of(reading.get());
      known = Optional.of(known.map(earlier -> earlier.narrowedBy(one)).orElse(one));
    }
    return known;
  }

  static ClockOffset of(ClockReading reading) {
    return new ClockOffset(reading.minAheadMillis(), reading.maxAheadMillis());
  }

  /** Returns the intersection, or the other if a clock was set meanwhile. */
  ClockOffset narrowedBy(ClockOffset other) {
    long min = Math.max(minAheadMillis, other.minAheadMillis);
    long max = Math.min(maxAheadMillis, other.maxAheadMillis);
    return min <= max ? new ClockOffset(min, max) : other;
  }

  /** Returns whether the offset certainly exceeds a limit. */
  public boolean exceeds(Duration limit) {
    return minAheadMillis > limit.toMillis() || maxAheadMillis < -limit.toMillis();
  }
}
