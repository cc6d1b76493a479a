package org.fedometer.driver.fedora;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * How far Fedora's clock is ahead of ours, as bounds: an answer's date has whole seconds and may be
 * a second old, so that one question alone leaves two seconds open, and several leave less.
 *
 * @param minAheadMillis at least so much; negative if it may be behind
 * @param maxAheadMillis at most so much
 */
public record ClockOffset(long minAheadMillis, long maxAheadMillis) {

  /** Odd, so that the questions do not fall on the same part of a second. */
  private static final Duration REQUEST_INTERVAL = Duration.ofMillis(170);

  /**
   * @return empty if the answers do not say the time
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

  /** What both allow; where a clock was set meanwhile, the latter. */
  ClockOffset narrowedBy(ClockOffset other) {
    long min = Math.max(minAheadMillis, other.minAheadMillis);
    long max = Math.min(maxAheadMillis, other.maxAheadMillis);
    return min <= max ? new ClockOffset(min, max) : other;
  }

  /** Whether the clocks are apart by more than that for sure. */
  public boolean exceeds(Duration limit) {
    return minAheadMillis > limit.toMillis() || maxAheadMillis < -limit.toMillis();
  }
}
