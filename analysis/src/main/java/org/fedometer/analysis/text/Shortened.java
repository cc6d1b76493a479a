package org.fedometer.analysis.text;

/** Texts cut to a length, and no character of two units in its middle. Pure. */
public final class Shortened {
  private static final String MARK = "\u2026";

  private Shortened() {}

  /** The text, or its beginning of at most so many units of UTF-16. */
  public static String beginning(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean inTheMiddle = most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, inTheMiddle ? most - 1 : most);
  }

  /** The same with a mark where something is missing, which is one of the units. */
  public static String marked(String text, int most) {
    return text.length() <= most ? text : beginning(text, most - MARK.length()) + MARK;
  }
}
