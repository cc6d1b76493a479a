package org.fedometer.analysis.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Capabilities of the terminal that shows a text. Immutable.
 *
 * @param columns width in characters, at least {@link #MIN_COLUMNS}
 * @param unicode whether non-ASCII characters are allowed
 * @param colour whether ANSI color sequences are allowed
 */
public record TextStyle(int columns, boolean unicode, boolean colour) {

  /** Minimum width of tables. */
  public static final int MIN_COLUMNS = 60;

  /** Limit of used columns, since longer lines are hard to read. */
  static final int MAX_COLUMNS = 132;

  public TextStyle {
    if (columns < MIN_COLUMNS) {
      throw new IllegalArgumentException(
          "columns is " + columns + ", a report needs at least " + MIN_COLUMNS);
    }
  }

  /**
   * @param columns width, raised to {@link #MIN_COLUMNS}
   * @param charset of the output; Unicode is used if this is a UTF one
   * @param colour whether the terminal supports colors and the user wants them
   */
  public static TextStyle of(int columns, Charset charset, boolean colour) {
    boolean unicode = charset.equals(StandardCharsets.UTF_8) || charset.name().startsWith("UTF-");
    return new TextStyle(Math.max(MIN_COLUMNS, columns), unicode, colour);
  }
}
