package org.fedometer.analysis.text;

import java.util.Locale;
import org.fedometer.wire.SafeLine;

/**
 * Escapes foreign multi-line text for a terminal: line feeds and tabs stay, characters that could
 * control the terminal or mislead the reader become codes. Pure.
 */
public final class SafeText {
  private SafeText() {}

  /**
   * @param indent inserted before each line but the first
   * @param unicode whether non-ASCII characters are allowed
   */
  public static void append(StringBuilder target, String text, String indent, boolean unicode) {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == '\n') {
        target.append('\n').append(indent);
      } else if (c == '\t') {
        target.append('\t');
      } else if (c == '\r' && i < text.length() && text.charAt(i) == '\n') {
        // Implied by the following line feed.
        continue;
      } else if (SafeLine.isHarmless(c) && (c < 127 || unicode)) {
        target.appendCodePoint(c);
      } else {
        target.append(
            Character.isBmpCodePoint(c)
                ? String.format(Locale.ROOT, "\\u%04x", c)
                : String.format(Locale.ROOT, "\\U%08x", c));
      }
    }
  }
}
