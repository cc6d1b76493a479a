package org.fedometer.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time as in {@code 90s}, {@code 10m}, {@code 12h}, {@code 3d}. */
final class TimeSpan implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([smhd])");

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no length of time; give one as in 90s, 10m, 12h or 3d");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
