package org.fedometer.analysis.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * What the terminal that a text goes to can show. Immutable.
 *
 * @param columns width in characters, at least {@link #MIN_COLUMNS}
 * @param unicode whether characters beyond ASCII may be used
 * @param colour whether ANSI colour sequences may be used
 */
public record TextStyle(int columns, boolean unicode, boolean colour) {

  /** Narrower than this no table fits. */
  public static final int MIN_COLUMNS = 60;

  /** Wider lines than this are hard to read, so no more is used. */
  static final int MAX_COLUMNS = 132;

  public TextStyle {
    if (columns < MIN_COLUMNS) {
      throw new IllegalArgumentException(
          "columns is " + columns + ", a report needs at least " + MIN_COLUMNS);
    }
  }

  /**
   * @param columns width, taken as {@link #MIN_COLUMNS} where it is smaller
   * @param charset of the output; Unicode is used if this is a UTF one
   * @param colour whether the user's terminal shows colours and wants them
   */
  public static TextStyle of(int columns, Charset charset, boolean colour) {
    boolean unicode = charset.equals(StandardCharsets.UTF_8) || charset.name().startsWith("UTF-");
    return new TextStyle(Math.max(MIN_COLUMNS, columns), unicode, colour);
  }
}
