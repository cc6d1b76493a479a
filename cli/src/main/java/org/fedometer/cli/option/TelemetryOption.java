package org.fedometer.cli.option;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Telemetry interval of commands that start a Fedora under load. */
public final class TelemetryOption {
  @Option(
      names = "--telemetry-interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "Seconds between readings of processor, memory, disk and JVM, 0.1 to 3600; 0 for"
              + " none (default: ${DEFAULT-VALUE}).")
  private double seconds;

  /**
   * Returns the interval; zero for none.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  public Duration interval() {
    return intervalOf(seconds);
  }

  /** Converts the interval; validates before rounding, since 0 means never. */
  public static Duration intervalOf(double seconds) {
    if (seconds != 0 && !(seconds >= 0.1 && seconds <= 3600)) {
      throw new IllegalArgumentException(
          "--telemetry-interval " + seconds + ": give 0.1 to 3600 seconds, or 0 for none");
    }
    return Duration.ofMillis(Math.round(1000 * seconds));
  }
}
