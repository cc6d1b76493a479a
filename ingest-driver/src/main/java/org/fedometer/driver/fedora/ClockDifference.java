package org.fedometer.driver.fedora;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * How far Fedora's clock is ahead of ours, as bounds: an answer's date has whole seconds and may be
 * a second old, so that one question alone leaves two seconds open, and several leave less.
 *
 * @param leastAheadMillis at least so much; negative if it may be behind
 * @param mostAheadMillis at most so much
 */
public record ClockDifference(long leastAheadMillis, long mostAheadMillis) {

  /** Odd, so that the questions do not fall on the same part of a second. */
  private static final Duration DISTANCE = Duration.ofMillis(170);

  /**
   * @return empty if the answers do not say the time
   */
  public static Optional<ClockDifference> ask(FedoraSession session, int questions)
      throws IOException {
    Optional<ClockDifference> known = Optional.empty();
    for (int i = 0; i < questions; i++) {
      if (i > 0) {
        LockSupport.parkNanos(DISTANCE.toNanos());
      }
      Optional<ClockReading> reading = session.readClock();
      if (reading.isEmpty()) {
        return Optional.empty();
      }
      ClockDifference one = of(reading.get());
      known = Optional.of(known.map(earlier -> earlier.narrowedBy(one)).orElse(one));
    }
    return known;
  }

  static ClockDifference of(ClockReading reading) {
    return new ClockDifference(reading.leastAheadMillis(), reading.mostAheadMillis());
  }

  /** What both allow; where a clock was set meanwhile, the latter. */
  ClockDifference narrowedBy(ClockDifference other) {
    long least = Math.max(leastAheadMillis, other.leastAheadMillis);
    long most = Math.min(mostAheadMillis, other.mostAheadMillis);
    return least <= most ? new ClockDifference(least, most) : other;
  }

  /** Whether the clocks are apart by more than that for sure. */
  public boolean isBeyond(Duration limit) {
    return leastAheadMillis > limit.toMillis() || mostAheadMillis < -limit.toMillis();
  }
}
