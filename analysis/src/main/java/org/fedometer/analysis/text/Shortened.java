package org.fedometer.analysis.text;

/** Truncates texts without splitting surrogate pairs. Pure. */
public final class Shortened {
  private static final String MARK = "\u2026";

  private Shortened() {}

  /** Returns the text, or its beginning of at most {@code max} UTF-16 units. */
  public static String beginning(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean inTheMiddle = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, inTheMiddle ? max - 1 : max);
  }

  /** As {@link #beginning}, with a mark if truncated, which counts as one of the units. */
  public static String marked(String text, int max) {
    return text.length() <= max ? text : beginning(text, max - MARK.length()) + MARK;
  }
}
