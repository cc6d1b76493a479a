package org.fedometer.wire;

import java.util.Locale;

/**
 * Escapes text of another process, so that it can neither control nor deceive a log or terminal.
 * Escapes as Java does in strings: control characters (ESC, CR, C1), invisible or
 * direction-changing format characters, line separators, halves of surrogate pairs. Pure; any
 * thread.
 */
public final class SafeLine {
  private SafeLine() {}

  /** Escapes one line, including line feeds. */
  public static String of(String text) {
    return escaped(text, false);
  }

  /** Escapes several lines; keeps line feeds and tabs. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean layoutStays) {
    int plain = 0;
    while (plain < text.length() && isAscii(text.charAt(plain))) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, plain);
    for (int i = plain; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (isHarmless(c) || (layoutStays && (c == '\n' || c == '\t'))) {
        safe.appendCodePoint(c);
      } else {
        append(safe, c);
      }
    }
    return safe.toString();
  }

  private static boolean isAscii(char c) {
    return c >= ' ' && c <= '~';
  }

  private static void append(StringBuilder safe, int c) {
    switch (c) {
      case '\n':
        safe.append("\\n");
        return;
      case '\r':
        safe.append("\\r");
        return;
      case '\t':
        safe.append("\\t");
        return;
      default:
        for (char unit : Character.toChars(c)) {
          safe.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
    }
  }

  /**
   * Returns whether a character is shown as it is. False for control and format characters, which
   * are invisible or change the writing direction, and for surrogates, line feed and tab.
   *
   * @param c a code point
   */
  public static boolean isHarmless(int c) {
    switch (Character.getType(c)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.SURROGATE:
      case Character.UNASSIGNED:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
        return false;
      default:
        return true;
    }
  }
}
