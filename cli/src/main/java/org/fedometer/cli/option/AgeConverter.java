package org.fedometer.cli.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses an age such as {@code 30d}. */
public final class AgeConverter implements ITypeConverter<Duration> {
  private static final Pattern AGE = Pattern.compile("(\\d{1,6})([mhdw])");

  @Override
  public Duration convert(String value) {
    Matcher age = AGE.matcher(value);
    if (!age.matches() || Integer.parseInt(age.group(1)) == 0) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not an age; give a whole number above 0 with m, h, d or w, such as 30d");
    }
    int number = Integer.parseInt(age.group(1));
    return switch (age.group(2)) {
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofDays(7L * number);
    };
  }
}
