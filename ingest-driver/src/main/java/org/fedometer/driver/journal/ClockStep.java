package org.fedometer.driver.journal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How far the time of day on this host was set since some moment of its present boot, as against
 * its steady clock. Where driver and Fedora share a host, or its source of time, what Fedora has
 * made after the time of day was set back seems that much older than it is. Safe for use by many
 * threads.
 */
public final class ClockStep {
  /** No leap, only the two clocks' readings one after the other, and what NTP smooths. */
  private static final long NOISE_MILLIS = 1_000;

  private final long sinceNanos;
  private final long sinceEpochMillis;
  private final LongSupplier nanos;
  private final LongSupplier epochMillis;
  private final AtomicLong maxBackMillis = new AtomicLong();

  ClockStep(long sinceNanos, long sinceEpochMillis, LongSupplier nanos, LongSupplier epochMillis) {
    this.sinceNanos = sinceNanos;
    this.sinceEpochMillis = sinceEpochMillis;
    this.nanos = nanos;
    this.epochMillis = epochMillis;
    maxSetBack();
  }

  public static ClockStep sinceNow() {
    return since(System.nanoTime(), System.currentTimeMillis());
  }

  /**
   * @param nanos of {@code System.nanoTime()} at that moment
   * @param epochMillis the time of day then
   */
  public static ClockStep since(long nanos, long epochMillis) {
    return new ClockStep(nanos, epochMillis, System::nanoTime, System::currentTimeMillis);
  }

  /** How far the time of day is ahead now; negative where it was set back, zero where not set. */
  public long millis() {
    long steady = sinceEpochMillis + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - sinceNanos);
    long step = epochMillis.getAsLong() - steady;
    return Math.abs(step) > NOISE_MILLIS ? step : 0;
  }

  /**
   * How far it was set back at most, as far as anybody has asked: what was made then is there still
   * when the time of day is right again. Zero where it was not, or was set forward.
   */
  public Duration maxSetBack() {
    return Duration.ofMillis(maxBackMillis.accumulateAndGet(-millis(), Math::max));
  }
}
