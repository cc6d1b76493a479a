package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JacksonException;

/**
 * What a log sender sent is not taken, and neither is what comes after it. The message is a
 * sentence that says why and, where that can help, what to configure instead.
 */
public final class LogRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final int LONGEST_QUOTE = 200;

  public LogRefusedException(String message) {
    super(message);
  }

  LogRefusedException(String message, Throwable cause) {
    super(message + ": " + quoted(words(cause)), cause);
  }

  /** Without the place in the source, which Jackson does not tell but has words for. */
  private static String words(Throwable cause) {
    return cause instanceof JacksonException json ? json.getOriginalMessage() : cause.getMessage();
  }

  /** What a library says of hostile bytes may quote them, and this is for logs. */
  private static String quoted(String text) {
    StringBuilder safe = new StringBuilder();
    String known = text == null ? "no reason given" : text;
    for (int i = 0; i < Math.min(known.length(), LONGEST_QUOTE); i++) {
      char c = known.charAt(i);
      safe.append(c == '\n' ? ' ' : c < ' ' || c > '~' ? '?' : c);
    }
    return safe.toString();
  }
}
