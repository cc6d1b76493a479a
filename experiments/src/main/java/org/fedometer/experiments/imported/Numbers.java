package org.fedometer.experiments.imported;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Parses other tools' numbers from bytes, without a string for each. Stateless. */
final class Numbers {
  /** Longer durations indicate another unit or a fault. */
  static final long MAX_DURATION_NANOS = Duration.ofDays(30).toNanos();

  /** Results for invalid input. */
  static final long NO_NUMBER = -1;

  static final long NEGATIVE = -2;
  static final long TOO_LARGE = -3;

  private static final Instant EARLIEST = Instant.parse("1990-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");
  private static final long EARLIEST_MILLIS = EARLIEST.toEpochMilli();
  private static final long LATEST_MILLIS = LATEST.toEpochMilli();

  private static final int MAX_PLAIN_DIGITS = 18;
  private static final int MAX_NUMBER_BYTES = 64;

  /** More digits before the point, or zeros after it, are implausible. */
  private static final int MAX_MAGNITUDE = 40;

  private Numbers() {}

  /**
   * Returns a duration in nanoseconds, rounded: digits, optionally a point and more digits,
   * optionally an exponent. Returns {@link #NO_NUMBER}, {@link #NEGATIVE} or {@link #TOO_LARGE} for
   * invalid input.
   *
   * @param nanosOfOne nanoseconds of the unit
   */
  static long durationNanos(byte[] bytes, int from, int to, long nanosOfOne) {
    long digits = 0;
    long scale = 0;
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      if (c == '.' && scale == 0 && i > from && i + 1 < to) {
        scale = 1;
      } else if (c >= '0' && c <= '9' && i - from < MAX_PLAIN_DIGITS) {
        digits = 10 * digits + (c - '0');
        scale *= 10;
      } else {
        return unusualNanos(bytes, from, to, nanosOfOne);
      }
    }
    if (from == to) {
      return NO_NUMBER;
    }
    return scale <= Long.MAX_VALUE / 10 / nanosOfOne
        ? plainNanos(digits, Math.max(1, scale), nanosOfOne)
        : unusualNanos(bytes, from, to, nanosOfOne);
  }

  static long durationNanos(String text, DurationUnit unit) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return durationNanos(bytes, 0, bytes.length, unit.nanos());
  }

  private static long plainNanos(long digits, long scale, long nanosOfOne) {
    long integer = digits / scale;
    if (integer > MAX_DURATION_NANOS / nanosOfOne) {
      return TOO_LARGE;
    }
    return bounded(integer * nanosOfOne + (digits % scale * nanosOfOne + scale / 2) / scale);
  }

  private static long unusualNanos(byte[] bytes, int from, int to, long nanosOfOne) {
    if (to - from > MAX_NUMBER_BYTES) {
      return NO_NUMBER;
    }
    BigDecimal value;
    try {
      value = new BigDecimal(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      return NO_NUMBER;
    }
    if (value.signum() < 0) {
      return NEGATIVE;
    }
    // Before any arithmetic: 1e999999999 has a billion digits.
    long magnitude = (long) value.precision() - value.scale();
    if (value.signum() == 0 || magnitude < -MAX_MAGNITUDE) {
      return 0;
    }
    if (magnitude > MAX_MAGNITUDE) {
      return TOO_LARGE;
    }
    BigDecimal nanos =
        value.multiply(BigDecimal.valueOf(nanosOfOne)).setScale(0, RoundingMode.HALF_UP);
    return nanos.compareTo(BigDecimal.valueOf(MAX_DURATION_NANOS)) > 0
        ? TOO_LARGE
        : nanos.longValueExact();
  }

  private static long bounded(long nanos) {
    return nanos > MAX_DURATION_NANOS ? TOO_LARGE : nanos;
  }

  /** Returns a number of digits only, or {@link #NO_NUMBER}. */
  static long whole(byte[] bytes, int from, int to) {
    if (from == to || to - from > MAX_PLAIN_DIGITS) {
      return NO_NUMBER;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      if (c < '0' || c > '9') {
        return NO_NUMBER;
      }
      value = 10 * value + (c - '0');
    }
    return value;
  }

  static long whole(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return whole(bytes, 0, bytes.length);
  }

  /** Returns whether a time in milliseconds since 1970 is plausible for a measurement. */
  static boolean isTime(long epochMillis) {
    return epochMillis >= EARLIEST_MILLIS && epochMillis < LATEST_MILLIS;
  }

  static boolean isTime(Instant time) {
    return !time.isBefore(EARLIEST) && time.isBefore(LATEST);
  }

  static long epochNanos(long epochMillis) {
    return epochMillis * 1_000_000;
  }

  /** Returns the reason of an invalid duration. */
  static String why(long code, String shown, DurationUnit unit) {
    if (code == NEGATIVE) {
      return shown + " is negative, which a duration cannot be";
    } else if (code == TOO_LARGE) {
      return shown + " " + unit.id() + " is more than 30 days, too long for a request";
    }
    return shown + " is not a number; write a fraction with a point";
  }
}
