package org.fedometer.collector.dashboard;

import org.fedometer.wire.SafeLine;

/**
 * Bounds foreign text for pages, and puts a space for each character that is not harmless (see
 * {@link SafeLine#isHarmless}). Stateless.
 */
final class Texts {
  static final int LONGEST_NAME = 200;
  static final int LONGEST_MESSAGE = 2000;

  private Texts() {}

  static String line(String text, int longest) {
    return cut(text, longest, false);
  }

  /** Line feeds and tabs stay. */
  static String lines(String text, int longest) {
    return cut(text, longest, true);
  }

  private static String cut(String text, int longest, boolean severalLines) {
    if (text == null) {
      return "";
    }
    boolean clean = text.length() <= longest;
    for (int i = 0; clean && i < text.length(); i++) {
      clean = isFine(text.charAt(i), severalLines);
    }
    if (clean) {
      return text;
    }
    int end = Math.min(text.length(), longest);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    StringBuilder result = new StringBuilder(end + 1);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean half =
          Character.isHighSurrogate(c)
              ? i + 1 == end || !Character.isLowSurrogate(text.charAt(i + 1))
              : Character.isLowSurrogate(c)
                  && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
      boolean fine = Character.isSurrogate(c) ? !half : isFine(c, severalLines);
      result.append(fine ? c : ' ');
    }
    return end < text.length() ? result.append('…').toString() : result.toString();
  }

  private static boolean isFine(char c, boolean severalLines) {
    return SafeLine.isHarmless(c) || severalLines && (c == '\n' || c == '\t');
  }
}
