package org.fedometer.analysis.logs;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.fedometer.store.RunDocument;

/**
 * A filter of log lines. Immutable.
 *
 * @param level minimum severity; null for all
 * @param grep regular expression (RE2) that the message, the stack trace or the logger's name must
 *     contain; null for all
 * @param source name of a source, or the beginning of its UUID; null for all
 * @param sinceEpochNanos not before this time of day; null for the beginning
 * @param untilEpochNanos before this time of day; null for the end
 * @param last number of newest lines; 0 for all
 * @param stackTraces whether lines include stack traces
 */
public record LogFilter(
    LogLevel level,
    String grep,
    String source,
    Long sinceEpochNanos,
    Long untilEpochNanos,
    long last,
    boolean stackTraces) {

  public static final LogFilter ALL = new LogFilter(null, null, null, null, null, 0, true);

  private static final BigDecimal NANOS_A_SECOND = BigDecimal.valueOf(1_000_000_000);

  public LogFilter {
    if (last < 0) {
      throw new IllegalArgumentException("last is " + last + ", must be 0 or more");
    }
  }

  /**
   * Parses a user's time.
   *
   * @param time seconds since the run's start, such as {@code 90.5}, or a time of day, such as
   *     {@code 2026-11-20T10:12:03Z}
   * @param document of the run, null if it has none
   * @return nanoseconds since 1970
   * @throws IllegalArgumentException if it is neither, or the run's start is unknown
   */
  public static long epochNanos(String time, RunDocument document) {
    try {
      return nanos(Instant.parse(time));
    } catch (DateTimeParseException | ArithmeticException e) {
      // It must be a number of seconds.
    }
    try {
      long seconds = new BigDecimal(time).multiply(NANOS_A_SECOND).longValueExact();
      if (document == null || document.started() == null) {
        throw new IllegalArgumentException(
            "The run has no recorded start: give a time of day (for example 2026-11-20T10:12:03Z)"
                + " instead of "
                + time);
      }
      return Math.addExact(nanos(Instant.parse(document.started())), seconds);
    } catch (NumberFormatException | ArithmeticException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          time
              + " is not a time: give seconds since the start of the run (for example 90) or a time"
              + " of day (for example 2026-11-20T10:12:03Z)",
          e);
    }
  }

  private static long nanos(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
  }
}
