package org.fedometer.cli;

import java.nio.charset.Charset;

/**
 * What the terminal can show, as the start script found it: a JVM cannot ask in a way that works
 * from Java 17 to 25.
 */
final class Terminal {
  private static final int DEFAULT_COLUMNS = 120;

  private Terminal() {}

  /** Whether a person watches standard error, where progress is shown. */
  static boolean interactive() {
    return Boolean.getBoolean("fedometer.terminal") && !"dumb".equals(System.getenv("TERM"));
  }

  /** Whether standard output is a terminal whose user did not ask for plain text. */
  static boolean colour() {
    return Boolean.getBoolean("fedometer.colour") && System.getenv("NO_COLOR") == null;
  }

  /** Columns to fill; {@value #DEFAULT_COLUMNS} where there is no terminal. */
  static int columns() {
    int columns = Integer.getInteger("fedometer.columns", DEFAULT_COLUMNS);
    return columns <= 0 ? DEFAULT_COLUMNS : columns;
  }

  /** Encoding of standard output as the locale has it. */
  static Charset outputCharset() {
    String name =
        System.getProperty("stdout.encoding", System.getProperty("native.encoding", "US-ASCII"));
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }
}
