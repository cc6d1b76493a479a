package org.fedometer.cli.agent;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a size such as {@code 32m}, in the agent's notation. */
public final class AgentSize implements ITypeConverter<String> {

  @Override
  public String convert(String value) {
    String size = value.toLowerCase(Locale.ROOT);
    if (!size.matches("[1-9][0-9]{0,5}[kmg]")) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a size; give a whole number above 0 with k, m or g (KiB, MiB or GiB),"
              + " such as 32m");
    }
    return size;
  }

  /**
   * @param size as returned by {@link #convert}
   */
  public static long bytes(String size) {
    int last = size.length() - 1;
    return Long.parseLong(size.substring(0, last)) << 10 * ("kmg".indexOf(size.charAt(last)) + 1);
  }
}
