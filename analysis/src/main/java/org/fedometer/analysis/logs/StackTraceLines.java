package org.fedometer.analysis.logs;

import java.util.regex.Pattern;

/** Finds stack traces in messages, where loggers such as CXF's have written them. Stateless. */
final class StackTraceLines {
  /** Frames, causes, suppressed exceptions, and what is left out of them, with their line ends. */
  private static final Pattern LINES =
      Pattern.compile(
          "\\R[ \\t]+at [^\\s(]+\\([^)\\n]*\\)[^\\r\\n]*"
              + "|\\R[ \\t]*\\.\\.\\. \\d+ (?:more|common frames omitted)"
              + "|\\R[ \\t]*(?:Caused by|Suppressed): [^\\r\\n]*");

  private StackTraceLines() {}

  /** The message without them; the line that names the exception stays. */
  static String without(String message) {
    return message.indexOf('\n') < 0 ? message : LINES.matcher(message).replaceAll("");
  }
}
