package org.fedometer.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how long something takes, such as {@code 3d} or {@code 200s}, from the command line. */
final class TimeSpan implements ITypeConverter<Duration> {
  static final String PATTERN = "([1-9]\\d{0,7})([smhd])";
  private static final Pattern SPAN = Pattern.compile(PATTERN);

  @Override
  public Duration convert(String value) {
    Matcher span = SPAN.matcher(value);
    if (!span.matches()) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is no time; give a number from 1 on and s, m, h or d for seconds, minutes, hours"
              + " or days, such as 3d");
    }
    return of(span.group(1), span.group(2));
  }

  static Duration of(String number, String unit) {
    long many = Long.parseLong(number);
    return switch (unit) {
      case "s" -> Duration.ofSeconds(many);
      case "m" -> Duration.ofMinutes(many);
      case "h" -> Duration.ofHours(many);
      default -> Duration.ofDays(many);
    };
  }
}
