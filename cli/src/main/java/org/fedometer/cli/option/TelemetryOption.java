package org.fedometer.cli.option;

import java.time.Duration;
import org.fedometer.experiments.telemetry.TelemetryInterval;
import picocli.CommandLine.Option;

/** Telemetry interval of commands that start a Fedora under load. */
public final class TelemetryOption {
  @Option(
      names = "--telemetry-interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = TelemetryIntervalConverter.class,
      description =
          "Interval of readings of processor, memory, disk and JVM, 100ms to 1h; 0s for none"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration interval;

  /**
   * Returns the interval; zero for none.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  public Duration interval() {
    return TelemetryInterval.require(interval);
  }
}
