package org.fedometer.driver.journal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Measures how far this host's wall clock was set since some moment of its present boot, relative
 * to its steady clock. Thread-safe.
 *
 * <p>If driver and Fedora share a host or its time source, objects that Fedora makes after the
 * clock was set back seem that much older.
 */
public final class ClockStep {
  /** Differences up to this are no step: the clocks are read one after the other, and NTP slews. */
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
   * @param nanos {@code System.nanoTime()} at that moment
   * @param epochMillis the wall clock then
   */
  public static ClockStep since(long nanos, long epochMillis) {
    return new ClockStep(nanos, epochMillis, System::nanoTime, System::currentTimeMillis);
  }

  /**
   * Returns how far the wall clock is ahead now; negative if it was set back, zero if it was not
   * set.
   */
  public long millis() {
    long steady = sinceEpochMillis + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - sinceNanos);
    long step = epochMillis.getAsLong() - steady;
    return Math.abs(step) > NOISE_MILLIS ? step : 0;
  }

  /**
   * Returns the largest step back observed by any call; zero if there was none. Objects from that
   * time remain when the clock is right again.
   */
  public Duration maxSetBack() {
    return Duration.ofMillis(maxBackMillis.accumulateAndGet(-millis(), Math::max));
  }
}
