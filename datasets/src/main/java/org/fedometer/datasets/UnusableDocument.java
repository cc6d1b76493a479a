package org.fedometer.datasets;

import java.util.List;
import java.util.Locale;

/**
 * A file that is unusable for a dataset, and the reason. Both are raw text from files; {@link
 * #message} and {@link #listing} are fit for a terminal.
 *
 * @param path the path below the dataset's directory, separated by {@code /}
 * @param reason one clause to follow the path, such as {@code is empty}; cut beyond {@value
 *     #MAX_REASON_LENGTH} characters
 */
public record UnusableDocument(String path, String reason) {

  private static final int MAX_REASON_LENGTH = 500;

  public UnusableDocument {
    if (reason.length() > MAX_REASON_LENGTH) {
      reason = reason.substring(0, MAX_REASON_LENGTH) + "...";
    }
  }

  /**
   * Returns path and reason in one line without terminal control characters: see {@link #escaped}.
   */
  public String message() {
    return escaped(path + ' ' + reason);
  }

  /**
   * Returns a line for each: path, tab, reason, equally escaped, so that there are no other tabs.
   */
  public static String listing(List<UnusableDocument> documents) {
    StringBuilder lines = new StringBuilder();
    documents.forEach(
        one ->
            lines.append(escaped(one.path)).append('\t').append(escaped(one.reason)).append('\n'));
    return lines.toString();
  }

  /**
   * Returns the text with characters that could control a terminal or hide others escaped as in
   * Java strings ({@code \n}, <code>&#92;u001b</code>, {@code \\}). These are the backslash,
   * control characters, line separators, marks that change the writing direction, and lone
   * surrogates.
   */
  public static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                  if (isPlain(c)) {
                    out.appendCodePoint(c);
                  } else {
                    for (char unit : Character.toChars(c)) {
                      out.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                    }
                  }
                }
              }
            });
    return out.toString();
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
