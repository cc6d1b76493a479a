package org.fedometer.analysis;

import java.util.Locale;
import org.fedometer.wire.Counted;

/**
 * Formats numbers for all reports, comparisons and pages: thousands separators, three significant
 * digits, a unit. Pure. The micro sign is the only non-ASCII character.
 */
public final class NumberFormats {

  private static final double[] NANOS_IN_UNIT = {1e9, 1e6, 1e3};
  private static final String[] UNITS = {"s", "ms", "µs"};
  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private NumberFormats() {}

  /** Formats {@code 14,000,000}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Formats {@code 1 object} or {@code 12 objects}. */
  public static String count(long count, String noun) {
    return Counted.of(count, noun);
  }

  /** Formats {@code 812 ns}, {@code 3.12 µs}, {@code 45.6 ms}, {@code 1,234 s}, {@code 27.8 h}. */
  public static String duration(double nanos) {
    if (nanos < 0) {
      return "-" + duration(-nanos);
    }
    if (nanos >= 9_999.5e9) {
      return significant(nanos / 3600e9) + " h";
    }
    for (int i = 0; i < UNITS.length; i++) {
      // 999.6 µs is 1.00 ms: the unit changes where three digits would round up to four.
      if (nanos >= NANOS_IN_UNIT[i] * 0.9995) {
        return significant(nanos / NANOS_IN_UNIT[i]) + " " + UNITS[i];
      }
    }
    return String.format(Locale.ROOT, "%.0f ns", nanos);
  }

  /** Formats {@code 3.21}, {@code 198.4}, {@code 1,204}. */
  public static String rate(double perSecond) {
    String format = perSecond < 9.995 ? "%.2f" : perSecond < 999.95 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, perSecond);
  }

  /** Formats {@code 12.3 %}; a positive share that rounds to zero is {@code <0.1 %}. */
  public static String share(double share) {
    return share > 0 && share < 0.0005
        ? "<0.1 %"
        : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Formats decimal units, such as {@code 1.23 MB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return (unit == 0 ? count(bytes) : significant(value)) + " " + BYTE_UNITS[unit];
  }

  private static String significant(double value) {
    String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }
}
