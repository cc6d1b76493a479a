package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JacksonException;

/**
 * What a log sender sent is not taken, and neither is what comes after it. The message is a
 * sentence that says why and, where that can help, what to configure instead.
 */
public final class LogRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final int MAX_QUOTE_CHARACTERS = 200;

  public LogRefusedException(String message) {
    super(message);
  }

  LogRefusedException(String message, Throwable cause) {
    super(message + ": " + cut(describe(cause)), cause);
  }

  /** Without the place in the source, which Jackson does not tell but has words for. */
  private static String describe(Throwable cause) {
    return cause instanceof JacksonException json ? json.getOriginalMessage() : cause.getMessage();
  }

  /** A library may quote hostile bytes: whoever logs this makes it safe, as all that he logs. */
  private static String cut(String text) {
    String known = text == null ? "no reason given" : text;
    return known.substring(0, Math.min(known.length(), MAX_QUOTE_CHARACTERS)).replace('\n', ' ');
  }
}
