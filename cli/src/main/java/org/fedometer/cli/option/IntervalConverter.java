package org.fedometer.cli.option;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/** Parses an interval such as {@code 10m}, or {@code 0s} for never. */
public final class IntervalConverter implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String value) {
    return value.equals("0s") ? Duration.ZERO : new DurationConverter().convert(value);
  }
}
