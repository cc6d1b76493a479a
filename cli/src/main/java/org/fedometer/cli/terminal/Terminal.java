package org.fedometer.cli.terminal;

import java.nio.charset.Charset;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.fedometer.analysis.text.TextStyle;

/**
 * What the terminal can show, as the start script found it: a JVM cannot ask in a way that works
 * from Java 17 to 25.
 */
public final class Terminal {
  private static final int DEFAULT_COLUMNS = 120;
  private static final int DEFAULT_LINES = 24;
  private static final Pattern COLUMNS = Pattern.compile("[1-9][0-9]{0,4}");

  private Terminal() {}

  /** Whether a person watches standard error, where progress is shown. */
  public static boolean interactive() {
    return Boolean.getBoolean("fedometer.terminal") && !"dumb".equals(System.getenv("TERM"));
  }

  /** Whether standard output is a terminal whose user did not ask for plain text. */
  public static boolean colour() {
    return Boolean.getBoolean("fedometer.colour") && System.getenv("NO_COLOR") == null;
  }

  /** How reports are printed to standard output. */
  public static TextStyle style() {
    return TextStyle.of(columns(), outputCharset(), colour());
  }

  /** Whether standard output is a terminal that can be drawn on. */
  public static boolean supportsCursor() {
    return Boolean.getBoolean("fedometer.colour") && !"dumb".equals(System.getenv("TERM"));
  }

  /** Lines of the terminal; {@value #DEFAULT_LINES} where nobody says. */
  public static int lines() {
    int lines = Integer.getInteger("fedometer.lines", 0);
    return lines <= 0 ? DEFAULT_LINES : lines;
  }

  /** Columns that standard output fills; {@value #DEFAULT_COLUMNS} where nobody says. */
  public static int columns() {
    return knownColumns().orElse(DEFAULT_COLUMNS);
  }

  /**
   * Columns of the terminal that standard output goes to; else those of the variable COLUMNS; else
   * those of the terminal that standard error goes to, where the output is probably read in the
   * end. Empty where there is none of these.
   */
  public static OptionalInt knownColumns() {
    return knownColumns(Boolean.getBoolean("fedometer.colour"), System.getenv("COLUMNS"));
  }

  /**
   * The same with these two given; the terminal's width is as the start script has found it.
   *
   * @param variable value of COLUMNS, null where it is not set; anything but 1 to 99999 counts as
   *     if it was not
   */
  static OptionalInt knownColumns(boolean outputIsTerminal, String variable) {
    if (!outputIsTerminal && isNumber(variable)) {
      return OptionalInt.of(Integer.parseInt(variable));
    }
    int columns = Integer.getInteger("fedometer.columns", 0);
    return columns <= 0 ? OptionalInt.empty() : OptionalInt.of(columns);
  }

  /**
   * Whether standard output goes to a file or a pipe, and the variable COLUMNS does not say how
   * wide it is to be: then nothing has to be cut.
   */
  public static boolean isWidthUnlimited() {
    return isWidthUnlimited(Boolean.getBoolean("fedometer.colour"), System.getenv("COLUMNS"));
  }

  /** The same with these two given, as {@link #knownColumns(boolean, String)} takes them. */
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

  /** Encoding of standard output as the locale has it. */
  public static Charset outputCharset() {
    return charset("stdout.encoding");
  }

  /** Encoding of standard error as the locale has it. */
  public static Charset errorCharset() {
    return charset("stderr.encoding");
  }

  private static Charset charset(String property) {
    String name = System.getProperty(property, System.getProperty("native.encoding", "US-ASCII"));
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }
}
