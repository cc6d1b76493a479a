package org.fedometer.experiments.telemetry;

import java.time.Duration;

/** Limits of the interval of readings. Stateless. */
public final class TelemetryInterval {
  private static final Duration MIN = Duration.ofMillis(100);
  private static final Duration MAX = Duration.ofHours(1);

  private TelemetryInterval() {}

  /**
   * Returns the interval; zero means no readings.
   *
   * @throws IllegalArgumentException if it is out of range; the message is one sentence
   */
  public static Duration require(Duration interval) {
    if (!interval.isZero() && (interval.compareTo(MIN) < 0 || interval.compareTo(MAX) > 0)) {
      long millis = interval.toMillis();
      throw new IllegalArgumentException(
          "--telemetry-interval "
              + (millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms")
              + ": give 100ms to 1h, or 0s for none");
    }
    return interval;
  }
}
