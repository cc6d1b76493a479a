package org.fedometer.cli.option;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a size such as {@code 200g}, in powers of 1,024 bytes. */
public final class SizeConverter implements ITypeConverter<Long> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)([mgt])");
  private static final String UNITS = "mgt";

  @Override
  public Long convert(String value) {
    Matcher size = SIZE.matcher(value.toLowerCase(Locale.ROOT));
    if (size.matches()) {
      BigDecimal unit = BigDecimal.valueOf(1L << 20 + 10 * UNITS.indexOf(size.group(2)));
      long bytes = new BigDecimal(size.group(1)).multiply(unit).longValue();
      if (bytes > 0) {
        return bytes;
      }
    }
    throw new TypeConversionException(
        "'"
            + value
            + "' is not a size; give a number above 0 with m, g or t (MiB, GiB or TiB), such as"
            + " 200g");
  }
}
