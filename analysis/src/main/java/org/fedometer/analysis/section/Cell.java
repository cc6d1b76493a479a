package org.fedometer.analysis.section;

import static org.fedometer.analysis.NumberFormats.duration;

import java.util.Locale;
import org.fedometer.analysis.NumberFormats;

/**
 * A cell of a {@link Table}. Immutable.
 *
 * @param text displayed text
 * @param terminal displayed text on a terminal
 * @param value value for sorting and CSV; null for the text
 * @param bar filled part of a bar before the text, 0 to 1; null for none
 * @param style a class of the style sheet; null for none
 */
public record Cell(String text, String terminal, String value, Double bar, String style) {
  private static final double NANOS_A_SECOND = 1e9;
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_MICRO = 1e3;

  public static final Cell EMPTY = text("");

  public static final Cell UNKNOWN = text("–").inTerminal("-");

  /**
   * @param text null for an empty cell
   */
  public static Cell text(String text) {
    return new Cell(text == null ? "" : text, text == null ? "" : text, null, null, null);
  }

  public static Cell number(String text, double value) {
    return new Cell(text, text, Double.isFinite(value) ? plain(value) : null, null, null);
  }

  public static Cell count(long count) {
    return number(NumberFormats.count(count), count);
  }

  /**
   * @param perSecond null for an empty cell
   */
  public static Cell rate(Double perSecond) {
    return perSecond == null ? EMPTY : number(NumberFormats.rate(perSecond), perSecond);
  }

  /** Returns a duration, in seconds in CSV. */
  public static Cell seconds(double nanos) {
    return number(duration(nanos), nanos / NANOS_A_SECOND);
  }

  /**
   * Returns a duration, in milliseconds in CSV.
   *
   * @param nanos NaN for an empty cell
   */
  public static Cell millis(double nanos) {
    return Double.isNaN(nanos) ? EMPTY : number(duration(nanos), nanos / NANOS_A_MILLI);
  }

  /** Returns a duration, in microseconds in CSV. */
  public static Cell micros(double nanos) {
    return number(duration(nanos), nanos / NANOS_A_MICRO);
  }

  /** Returns a difference of durations, in microseconds in CSV; a terminal shows no plus. */
  public static Cell signedMicros(double nanos) {
    return number(signed(nanos), nanos / NANOS_A_MICRO).inTerminal(duration(nanos));
  }

  public static String signed(double nanos) {
    return nanos == 0 ? "0" : (nanos < 0 ? "−" : "+") + duration(Math.abs(nanos));
  }

  /**
   * Returns a time since the start, such as {@code 3:04}, {@code 2:03:04} or {@code 1 d 02:03:04}.
   */
  public static Cell elapsed(double seconds) {
    long whole = Math.round(Math.abs(seconds));
    long hours = whole / 3600 % 24;
    String minutes = String.format(Locale.ROOT, "%d:%02d", whole / 60 % 60, whole % 60);
    String padded = String.format(Locale.ROOT, "%02d:%02d", whole / 60 % 60, whole % 60);
    String clock = whole >= 3600 ? hours + ":" + padded : minutes;
    String days =
        whole >= 86_400
            ? String.format(Locale.ROOT, "%d d %02d:%s", whole / 86_400, hours, padded)
            : clock;
    return number(seconds < -0.5 ? "−" + days : days, seconds);
  }

  public static Cell bar(String text, double value, double part) {
    return new Cell(text, text, plain(value), Math.max(0, Math.min(1, part)), null);
  }

  /**
   * @param styleClass null for none
   */
  public Cell styled(String styleClass) {
    return new Cell(text, terminal, value, bar, styleClass);
  }

  public Cell inTerminal(String other) {
    return new Cell(text, other, value, bar, style);
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
