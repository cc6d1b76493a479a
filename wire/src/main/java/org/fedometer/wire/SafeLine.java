package org.fedometer.wire;

import java.util.Locale;

/**
 * What another process said, for a log or a terminal, which it must neither steer nor deceive. Each
 * character that is not shown as it is becomes an escape as Java writes it in strings: control
 * characters (ESC, CR, those of C1), marks that change the direction of writing or are invisible,
 * line separators, halves of surrogate pairs. Pure; any thread.
 */
public final class SafeLine {
  private SafeLine() {}

  /** One line: line feeds are escaped, too. */
  public static String of(String text) {
    return escaped(text, false);
  }

  /** Text of several lines: line feeds and tabs stay. */
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
   * Whether a character is shown as it is: neither control nor format character (which turns the
   * direction of writing, or is invisible), nor half of one. Line feed and tab are not.
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
