package org.fedometer.collector.dashboard;

import org.fedometer.wire.SafeLine;

/**
 * Bounds foreign text for pages and replaces each unsafe character by a space (see {@link
 * SafeLine#isHarmless}). Stateless.
 */
final class Texts {
  static final int MAX_NAME_CHARACTERS = 200;
  static final int MAX_MESSAGE_CHARACTERS = 2000;

  private Texts() {}

  static String line(String text, int maxCharacters) {
    return cut(text, maxCharacters, false);
  }

  /** Keeps line feeds and tabs. */
  static String lines(String text, int maxCharacters) {
    return cut(text, maxCharacters, true);
  }

  private static String cut(String text, int maxCharacters, boolean severalLines) {
    if (text == null) {
      return "";
    }
    boolean clean = text.length() <= maxCharacters;
    for (int i = 0; clean && i < text.length(); i++) {
      clean = isHarmless(text.charAt(i), severalLines);
    }
    if (clean) {
      return text;
    }
    int end = Math.min(text.length(), maxCharacters);
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
      boolean fine = Character.isSurrogate(c) ? !half : isHarmless(c, severalLines);
      result.append(fine ? c : ' ');
    }
    return end < text.length() ? result.append('…').toString() : result.toString();
  }

  private static boolean isHarmless(char c, boolean severalLines) {
    return SafeLine.isHarmless(c) || severalLines && (c == '\n' || c == '\t');
  }
}
