package org.fedometer.cli.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses an interval of readings such as {@code 500ms} or {@code 10s}, or {@code 0s} for none. */
public final class TelemetryIntervalConverter implements ITypeConverter<Duration> {
  private static final Pattern MILLIS = Pattern.compile("([1-9]\\d{0,7})ms");

  @Override
  public Duration convert(String value) {
    Matcher millis = MILLIS.matcher(value);
    if (millis.matches()) {
      return Duration.ofMillis(Long.parseLong(millis.group(1)));
    }
    if (!value.equals("0s") && !value.matches(DurationConverter.PATTERN)) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a duration; give a whole number above 0 with ms, s, m or h, such as"
              + " 500ms, or 0s for none");
    }
    return new IntervalConverter().convert(value);
  }
}
