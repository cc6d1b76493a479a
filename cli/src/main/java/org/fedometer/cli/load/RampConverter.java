package org.fedometer.cli.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.cli.option.DurationConverter;
import org.fedometer.driver.load.Load;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a ramp such as {@code 20:+20/200s}; without a warm-up. */
final class RampConverter implements ITypeConverter<Load.Ramp> {
  private static final String RATE = "(\\d{1,6}(?:\\.\\d{1,6})?)";
  private static final Pattern RAMP =
      Pattern.compile(RATE + ":\\+" + RATE + "/" + DurationConverter.PATTERN);

  @Override
  public Load.Ramp convert(String value) {
    Matcher ramp = RAMP.matcher(value);
    if (!ramp.matches()) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a ramp; give the first rate, the increase and the duration of a step,"
              + " such as 20:+20/200s");
    }
    try {
      return new Load.Ramp(
          Double.parseDouble(ramp.group(1)),
          Double.parseDouble(ramp.group(2)),
          DurationConverter.of(ramp.group(3), ramp.group(4)),
          0);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + value + "': " + e.getMessage());
    }
  }
}
