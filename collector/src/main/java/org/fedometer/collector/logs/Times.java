package org.fedometer.collector.logs;

import java.time.DateTimeException;
import java.time.LocalDate;

/** Times of others as nanoseconds since 1970, UTC; {@link LogEvent#UNKNOWN} if they are none. */
final class Times {
  /** A number of so many digits that is no long has a negative sum. */
  private static final int MOST_DIGITS = 19;

  private static final long NANOS = 1_000_000_000;
  private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS - 1;

  /** Seconds of 1973 and of the year 5138: what is larger counts smaller parts of a second. */
  private static final long LARGEST_SECONDS = 100_000_000_000L;

  private Times() {}

  static long of(long epochSeconds, long nanoOfSecond) {
    return epochSeconds < 0
            || epochSeconds > MOST_SECONDS
            || nanoOfSecond < 0
            || nanoOfSecond >= NANOS
        ? LogEvent.UNKNOWN
        : epochSeconds * NANOS + nanoOfSecond;
  }

  static long ofMillis(long epochMillis) {
    return epochMillis < 0
        ? LogEvent.UNKNOWN
        : of(epochMillis / 1000, epochMillis % 1000 * 1_000_000);
  }

  /** A number of seconds, with a fraction or not, or of milli-, micro- or nanoseconds. */
  static long ofNumber(String number) {
    int point = number.indexOf('.');
    int end = point < 0 ? number.length() : point;
    long whole = digits(number, 0, end);
    if (whole < 0 || end > MOST_DIGITS || end == 0) {
      return ofExponent(number);
    }
    if (point < 0) {
      long perSecond = 1;
      for (long left = whole; left >= LARGEST_SECONDS; left /= 1000) {
        perSecond *= 1000;
      }
      return of(whole / perSecond, whole % perSecond * (NANOS / perSecond));
    }
    long fraction = fraction(number, point + 1, number.length());
    return fraction < 0 ? ofExponent(number) : of(whole, fraction);
  }

  /** Such as 1.7E9: doubles know the time of day to some hundred nanoseconds. */
  private static long ofExponent(String number) {
    try {
      double seconds = Double.parseDouble(number);
      return seconds >= 0 && seconds < MOST_SECONDS
          ? of((long) seconds, (long) ((seconds - Math.floor(seconds)) * NANOS))
          : LogEvent.UNKNOWN;
    } catch (NumberFormatException e) {
      return LogEvent.UNKNOWN;
    }
  }

  /**
   * ISO 8601: {@code 2026-11-20T10:12:03.123456789+01:00}, also with a space for the T, a comma for
   * the point, without seconds or colon. Without a zone it is UTC.
   */
  static long ofIso(String text) {
    int length = text.length();
    if (length < 16
        || text.charAt(4) != '-'
        || text.charAt(7) != '-'
        || text.charAt(10) != 'T' && text.charAt(10) != ' '
        || text.charAt(13) != ':') {
      return LogEvent.UNKNOWN;
    }
    long year = digits(text, 0, 4);
    long month = digits(text, 5, 7);
    long day = digits(text, 8, 10);
    long hour = digits(text, 11, 13);
    long minute = digits(text, 14, 16);
    long second = 0;
    long nanos = 0;
    int at = 16;
    if (length >= 19 && text.charAt(16) == ':') {
      second = digits(text, 17, 19);
      at = 19;
      if (at < length && (text.charAt(at) == '.' || text.charAt(at) == ',')) {
        int end = at + 1;
        while (end < length && isDigit(text.charAt(end))) {
          end++;
        }
        nanos = fraction(text, at + 1, end);
        at = end;
      }
    }
    long offset = offsetSeconds(text, at);
    if ((year | month | day | hour | minute | second | nanos) < 0 || offset == LogEvent.UNKNOWN) {
      return LogEvent.UNKNOWN;
    }
    try {
      long days = LocalDate.of((int) year, (int) month, (int) day).toEpochDay();
      return of(((days * 24 + hour) * 60 + minute) * 60 + second - offset, nanos);
    } catch (DateTimeException e) {
      return LogEvent.UNKNOWN;
    }
  }

  private static long offsetSeconds(String text, int from) {
    int length = text.length() - from;
    if (length == 0 || length == 1 && text.charAt(from) == 'Z') {
      return 0;
    }
    char sign = text.charAt(from);
    if (sign != '+' && sign != '-' || length != 3 && length != 5 && length != 6) {
      return LogEvent.UNKNOWN;
    }
    long hours = digits(text, from + 1, from + 3);
    long minutes = length == 3 ? 0 : digits(text, text.length() - 2, text.length());
    if (hours < 0 || minutes < 0) {
      return LogEvent.UNKNOWN;
    }
    long seconds = (hours * 60 + minutes) * 60;
    return sign == '+' ? seconds : -seconds;
  }

  /** Of a second, in nanoseconds; what is smaller is dropped. Negative if it is no number. */
  private static long fraction(String text, int from, int to) {
    int end = Math.min(to, from + 9);
    long nanos = from == to ? -1 : digits(text, from, end);
    for (int i = end; i < to; i++) {
      nanos = isDigit(text.charAt(i)) ? nanos : -1;
    }
    for (int i = end - from; nanos > 0 && i < 9; i++) {
      nanos *= 10;
    }
    return nanos;
  }

  /** Negative if it is no number. */
  private static long digits(String text, int from, int to) {
    if (to - from > MOST_DIGITS) {
      return -1;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(text.charAt(i))) {
        return -1;
      }
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
