package org.fedometer.collector.logs;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Converts foreign times to nanoseconds since 1970, UTC; {@link LogEvent#UNKNOWN} if invalid. */
final class Times {
  /** With this many digits, overflow of a long yields a negative sum. */
  private static final int MAX_DIGITS = 19;

  private static final long NANOS = 1_000_000_000;
  private static final long MAX_SECONDS = Long.MAX_VALUE / NANOS - 1;

  /**
   * Limit of seconds (year 5138), above which the unit is smaller; as milliseconds, a time in 1973.
   */
  private static final long MAX_PLAIN_SECONDS = 100_000_000_000L;

  /** September 2001. Numbers with a fraction below this are seconds. */
  private static final long MIN_MILLIS = 1_000_000_000_000L;

  /** Offsets from UTC in hours of zone abbreviations in RFC 822 and European logs. */
  private static final Map<String, Integer> HOURS_OF_ZONES =
      Map.ofEntries(
          Map.entry("Z", 0),
          Map.entry("UTC", 0),
          Map.entry("GMT", 0),
          Map.entry("UT", 0),
          Map.entry("WET", 0),
          Map.entry("WEST", 1),
          Map.entry("CET", 1),
          Map.entry("CEST", 2),
          Map.entry("MET", 1),
          Map.entry("MEST", 2),
          Map.entry("EET", 2),
          Map.entry("EEST", 3),
          Map.entry("EDT", -4),
          Map.entry("EST", -5),
          Map.entry("CDT", -5),
          Map.entry("CST", -6),
          Map.entry("MDT", -6),
          Map.entry("MST", -7),
          Map.entry("PDT", -7),
          Map.entry("PST", -8));

  /** Zones of the time zone database: region and place. */
  private static final Pattern REGION =
      Pattern.compile("[A-Za-z]{2,20}(?:/[A-Za-z0-9_+-]{1,30}){1,2}");

  private static final int MAX_OFFSET_HOURS = 18;

  private Times() {}

  static long of(long epochSeconds, long nanoOfSecond) {
    return epochSeconds < 0
            || epochSeconds > MAX_SECONDS
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

  /** Parses ISO 8601 or a number, see {@link #ofIso} and {@link #ofNumber}. */
  static long of(String text) {
    String stripped = text.strip();
    long time = ofIso(stripped);
    return time == LogEvent.UNKNOWN ? ofNumber(stripped) : time;
  }

  /**
   * Parses seconds, milli-, micro- or nanoseconds, depending on the size; with or without a
   * fraction.
   */
  static long ofNumber(String number) {
    int point = number.indexOf('.');
    int end = point < 0 ? number.length() : point;
    long integer = digits(number, 0, end);
    if (integer < 0 || end > MAX_DIGITS || end == 0) {
      return ofExponent(number);
    }
    if (point < 0) {
      long perSecond = 1;
      for (long left = integer; left >= MAX_PLAIN_SECONDS; left /= 1000) {
        perSecond *= 1000;
      }
      return of(integer / perSecond, integer % perSecond * (NANOS / perSecond));
    }
    long fraction = fraction(number, point + 1, number.length());
    if (fraction < 0) {
      return ofExponent(number);
    }
    if (integer < MIN_MILLIS) {
      return of(integer, fraction);
    }
    long perSecond = 1;
    for (long left = integer; left >= MAX_PLAIN_SECONDS; left /= 1000) {
      perSecond *= 1000;
    }
    long nanosEach = NANOS / perSecond;
    return of(
        integer / perSecond,
        integer % perSecond * nanosEach + fraction / (NANOS / Math.max(1, nanosEach)));
  }

  /** Parses an exponent, such as 1.7E9. Doubles hold current times to some hundred nanoseconds. */
  private static long ofExponent(String number) {
    try {
      double seconds = Double.parseDouble(number);
      return seconds >= 0 && seconds < MAX_SECONDS
          ? of((long) seconds, (long) ((seconds - Math.floor(seconds)) * NANOS))
          : LogEvent.UNKNOWN;
    } catch (NumberFormatException e) {
      return LogEvent.UNKNOWN;
    }
  }

  /**
   * Parses ISO 8601: {@code 2026-11-20T10:12:03.123456789+01:00}.
   *
   * <p>Accepts slashes in the date, a space for the T, a comma for the point, and omitted seconds
   * or colons. The zone is an offset, a name such as {@code CET} or {@code Europe/Vienna}, or in
   * brackets; UTC by default.
   */
  static long ofIso(String text) {
    int length = text.length();
    if (length < 16
        || text.charAt(4) != '-' && text.charAt(4) != '/'
        || text.charAt(7) != text.charAt(4)
        || "Tt ".indexOf(text.charAt(10)) < 0
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
    if ((year | month | day | hour | minute | second | nanos) < 0
        || hour > 23
        || minute > 59
        || second > 60) {
      return LogEvent.UNKNOWN;
    }
    try {
      LocalDate date = LocalDate.of((int) year, (int) month, (int) day);
      long local = ((date.toEpochDay() * 24 + hour) * 60 + minute) * 60 + second;
      long offset = offsetSeconds(text.substring(at).strip(), local);
      return offset == LogEvent.UNKNOWN ? LogEvent.UNKNOWN : of(local - offset, nanos);
    } catch (DateTimeException e) {
      return LogEvent.UNKNOWN;
    }
  }

  /**
   * @param zone text after the time
   * @param local local time, in seconds since 1970
   */
  private static long offsetSeconds(String zone, long local) {
    if (zone.isEmpty()) {
      return 0;
    }
    if (zone.charAt(0) == '+' || zone.charAt(0) == '-') {
      // ZonedDateTime writes an offset and its region.
      int bracket = zone.indexOf('[');
      return numericOffset(bracket < 0 ? zone : zone.substring(0, bracket).strip());
    }
    if (zone.charAt(0) == 'Z' && zone.startsWith("[", 1)) {
      return 0;
    }
    boolean bracketed = zone.charAt(0) == '[' && zone.endsWith("]");
    String name = bracketed ? zone.substring(1, zone.length() - 1) : zone;
    Integer hours = HOURS_OF_ZONES.get(name.toUpperCase(Locale.ROOT));
    if (hours != null) {
      return hours * 3600L;
    }
    return REGION.matcher(name).matches()
        ? ZoneId.of(name)
            .getRules()
            .getOffset(LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC))
            .getTotalSeconds()
        : LogEvent.UNKNOWN;
  }

  private static long numericOffset(String zone) {
    int length = zone.length();
    if (length != 3 && length != 5 && (length != 6 || zone.charAt(3) != ':')) {
      return LogEvent.UNKNOWN;
    }
    long hours = digits(zone, 1, 3);
    long minutes = length == 3 ? 0 : digits(zone, length - 2, length);
    if (hours < 0 || hours > MAX_OFFSET_HOURS || minutes < 0 || minutes > 59) {
      return LogEvent.UNKNOWN;
    }
    long seconds = (hours * 60 + minutes) * 60;
    return zone.charAt(0) == '+' ? seconds : -seconds;
  }

  /** Returns a fraction of a second in nanoseconds, truncated; negative if invalid. */
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

  /** Returns negative if invalid. */
  private static long digits(String text, int from, int to) {
    if (to - from > MAX_DIGITS) {
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
