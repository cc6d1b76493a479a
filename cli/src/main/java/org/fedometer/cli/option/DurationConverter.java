package org.fedometer.cli.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration such as {@code 3d} or {@code 200s}. */
public final class DurationConverter implements ITypeConverter<Duration> {
  /**
   * Regular expression of a duration, also for use in others; {@link #of} accepts its two groups.
   */
  public static final String PATTERN = "([1-9]\\d{0,7})([smhd])";

  private static final Pattern SPAN = Pattern.compile(PATTERN);

  /** A hundred years; three hundred exceed a long in nanoseconds. */
  private static final Duration MAX = Duration.ofDays(36_500);

  @Override
  public Duration convert(String value) {
    Matcher span = SPAN.matcher(value);
    if (!span.matches()) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a duration; give a whole number above 0 with s, m, h or d, such as 3d");
    }
    return of(span.group(1), span.group(2));
  }

  /**
   * @throws TypeConversionException if it is longer than any load
   */
  public static Duration of(String number, String unit) {
    long many = Long.parseLong(number);
    Duration span =
        switch (unit) {
          case "s" -> Duration.ofSeconds(many);
          case "m" -> Duration.ofMinutes(many);
          case "h" -> Duration.ofHours(many);
          default -> Duration.ofDays(many);
        };
    if (span.compareTo(MAX) > 0) {
      throw new TypeConversionException(
          "'" + number + unit + "' is too long; give " + MAX.toDays() + "d at most");
    }
    return span;
  }
}
