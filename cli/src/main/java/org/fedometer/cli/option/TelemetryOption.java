package org.fedometer.cli.option;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How often what a run uses is read, for commands that bring up a Fedora to load it. */
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
   * From reading to reading; zero for none.
   *
   * @throws IllegalArgumentException in words for the user
   */
  public Duration interval() {
    return intervalOf(seconds);
  }

  /** Refuses what is wrong before it is rounded: 0 means never. */
  public static Duration intervalOf(double seconds) {
    if (seconds != 0 && !(seconds >= 0.1 && seconds <= 3600)) {
      throw new IllegalArgumentException(
          "--telemetry-interval "
              + seconds
              + ": give 0.1 to 3600 seconds from reading to reading, or 0 for none");
    }
    return Duration.ofMillis(Math.round(1000 * seconds));
  }
}
