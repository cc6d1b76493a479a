package org.fedometer.analysis.logs;

import java.util.regex.Pattern;

/** Finds stack traces inside messages, as loggers such as CXF's write them. Stateless. */
final class StackTraceLines {
  /** Frames, causes, suppressed exceptions, and marks of omitted frames, with their line ends. */
  private static final Pattern LINES =
      Pattern.compile(
          "\\R[ \\t]+at [^\\s(]+\\([^)\\n]*\\)[^\\r\\n]*"
              + "|\\R[ \\t]*\\.\\.\\. \\d+ (?:more|common frames omitted)"
              + "|\\R[ \\t]*(?:Caused by|Suppressed): [^\\r\\n]*");

  private StackTraceLines() {}

  /** Returns the message without them; the line with the exception stays. */
  static String without(String message) {
    return message.indexOf('\n') < 0 ? message : LINES.matcher(message).replaceAll("");
  }
}
