package org.fedometer.analysis.text;

/** Texts cut to a length, and no character of two units in its middle. Pure. */
public final class Shortened {
  private static final String MARK = "\u2026";

  private Shortened() {}

  /** The text, or its beginning of at most so many units of UTF-16. */
  public static String beginning(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean inTheMiddle = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, inTheMiddle ? max - 1 : max);
  }

  /** The same with a mark where something is missing, which is one of the units. */
  public static String marked(String text, int max) {
    return text.length() <= max ? text : beginning(text, max - MARK.length()) + MARK;
  }
}
