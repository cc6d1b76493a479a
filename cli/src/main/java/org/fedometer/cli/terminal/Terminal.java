package org.fedometer.cli.terminal;

import java.nio.charset.Charset;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.fedometer.analysis.text.TextStyle;

/**
 * Capabilities of the terminal, as found by the start script: Java has no query that works from
 * version 17 to 25.
 */
public final class Terminal {
  private static final int DEFAULT_COLUMNS = 120;
  private static final int DEFAULT_LINES = 24;
  private static final Pattern COLUMNS = Pattern.compile("[1-9][0-9]{0,4}");

  private Terminal() {}

  /** Returns whether standard error, which shows progress, is a terminal. */
  public static boolean interactive() {
    return Boolean.getBoolean("fedometer.terminal") && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns whether standard output is a terminal with colors allowed. */
  public static boolean colour() {
    return Boolean.getBoolean("fedometer.colour") && System.getenv("NO_COLOR") == null;
  }

  /** Returns the style of reports on standard output. */
  public static TextStyle style() {
    return TextStyle.of(columns(), outputCharset(), colour());
  }

  /** Returns whether standard output is a terminal with cursor control. */
  public static boolean supportsCursor() {
    return Boolean.getBoolean("fedometer.colour") && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns the terminal's lines; {@value #DEFAULT_LINES} if unknown. */
  public static int lines() {
    int lines = Integer.getInteger("fedometer.lines", 0);
    return lines <= 0 ? DEFAULT_LINES : lines;
  }

  /** Returns the width for standard output; {@value #DEFAULT_COLUMNS} if unknown. */
  public static int columns() {
    return knownColumns().orElse(DEFAULT_COLUMNS);
  }

  /**
   * Returns the width of standard output's terminal, else the variable COLUMNS, else the width of
   * standard error's terminal, where the output is probably read. Empty if all are unknown.
   */
  public static OptionalInt knownColumns() {
    return knownColumns(Boolean.getBoolean("fedometer.colour"), System.getenv("COLUMNS"));
  }

  /**
   * As {@link #knownColumns()} with these two given; the terminal's width is the start script's.
   *
   * @param variable value of COLUMNS, null if not set; ignored unless 1 to 99999
   */
  static OptionalInt knownColumns(boolean outputIsTerminal, String variable) {
    if (!outputIsTerminal && isNumber(variable)) {
      return OptionalInt.of(Integer.parseInt(variable));
    }
    int columns = Integer.getInteger("fedometer.columns", 0);
    return columns <= 0 ? OptionalInt.empty() : OptionalInt.of(columns);
  }

  /**
   * Returns whether standard output is a file or pipe and COLUMNS is not set: then nothing is
   * truncated.
   */
  public static boolean isWidthUnlimited() {
    return isWidthUnlimited(Boolean.getBoolean("fedometer.colour"), System.getenv("COLUMNS"));
  }

  /**
   * As {@link #isWidthUnlimited()}, with the parameters of {@link #knownColumns(boolean, String)}.
   */
  static boolean isWidthUnlimited(boolean outputIsTerminal, String variable) {
    return !outputIsTerminal && !isNumber(variable);
  }

  private static boolean isNumber(String variable) {
    return variable != null && COLUMNS.matcher(variable).matches();
  }

  static int progressColumns() {
    int columns = Integer.getInteger("fedometer.columns", 0);
    return columns <= 0 ? DEFAULT_COLUMNS : columns;
  }

  /** Returns the locale's encoding of standard output. */
  public static Charset outputCharset() {
    return charset("stdout.encoding");
  }

  /** Returns the locale's encoding of standard error. */
  public static Charset errorCharset() {
    return charset("stderr.encoding");
  }

  private static Charset charset(String property) {
    String name = System.getProperty(property, System.getProperty("native.encoding", "US-ASCII"));
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }
}
