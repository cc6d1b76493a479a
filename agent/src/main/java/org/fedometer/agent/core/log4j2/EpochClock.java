package org.fedometer.agent.core.log4j2;

import java.time.Instant;

/**
 * Converts readings of a source's {@code System.nanoTime()} to time of day, by this host's time of
 * day at its creation. Immutable.
 */
final class EpochClock {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long offsetNanos;

  private EpochClock(long offsetNanos) {
    this.offsetNanos = offsetNanos;
  }

  /**
   * @param nanos the source's current reading
   */
  static EpochClock at(long nanos) {
    return of(nowNanos() - nanos);
  }

  /**
   * @param offsetNanos time of day, since 1970, of the source's nanosecond 0
   */
  static EpochClock of(long offsetNanos) {
    return new EpochClock(offsetNanos);
  }

  /** Returns this host's time since 1970, UTC. */
  static long nowNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
  }

  /** Returns the time since 1970, UTC. */
  long epochNanos(long nanos) {
    return nanos + offsetNanos;
  }
}
