package org.fedometer.driver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How far the time of day on this host was set back since this was made, as against its steady
 * clock. Where driver and Fedora share a host, or its source of time, what Fedora has made since
 * seems that much older than it is. Safe for use by many threads.
 */
final class ClockSetBack {
  /** No leap, only the two clocks' readings one after the other, and what NTP smooths. */
  private static final long NOISE_MILLIS = 1_000;

  private final LongSupplier epochMillis;
  private final LongSupplier nanos;
  private final long beganEpochMillis;
  private final long beganNanos;

  ClockSetBack() {
    this(System::currentTimeMillis, System::nanoTime);
  }

  /**
   * @param epochMillis the time of day
   * @param nanos the steady clock
   */
  ClockSetBack(LongSupplier epochMillis, LongSupplier nanos) {
    this.epochMillis = epochMillis;
    this.nanos = nanos;
    this.beganEpochMillis = epochMillis.getAsLong();
    this.beganNanos = nanos.getAsLong();
  }

  /** Zero where it was not, or was set forward. */
  Duration soFar() {
    long steady = beganEpochMillis + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - beganNanos);
    long back = steady - epochMillis.getAsLong();
    return back > NOISE_MILLIS ? Duration.ofMillis(back) : Duration.ZERO;
  }
}
