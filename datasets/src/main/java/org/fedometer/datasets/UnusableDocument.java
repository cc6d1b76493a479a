package org.fedometer.datasets;

import java.util.List;
import java.util.Locale;

/**
 * A file that cannot be used for a dataset, and why. Both come from files, as they are: {@link
 * #message} and {@link #listing} are fit for a terminal.
 *
 * @param path below the dataset's directory, separated by {@code /}
 * @param reason one clause that follows the path, such as {@code is empty}; one of more than
 *     {@value #MAX_REASON_LENGTH} characters is cut
 */
public record UnusableDocument(String path, String reason) {

  private static final int MAX_REASON_LENGTH = 500;

  public UnusableDocument {
    if (reason.length() > MAX_REASON_LENGTH) {
      reason = reason.substring(0, MAX_REASON_LENGTH) + "...";
    }
  }

  /** Path and reason in one line that steers no terminal: see {@link #escaped}. */
  public String message() {
    return escaped(path + ' ' + reason);
  }

  /** A line for each: path, tab, reason, escaped likewise, so that there are no other tabs. */
  public static String listing(List<UnusableDocument> documents) {
    StringBuilder lines = new StringBuilder();
    documents.forEach(
        one ->
            lines.append(escaped(one.path)).append('\t').append(escaped(one.reason)).append('\n'));
    return lines.toString();
  }

  /**
   * The text with each character that could steer a terminal or hide others, and the backslash, as
   * Java writes them in strings ({@code \n}, <code>&#92;u001b</code>, {@code \\}): control
   * characters, line separators, marks that change the direction of writing, lone surrogates.
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
