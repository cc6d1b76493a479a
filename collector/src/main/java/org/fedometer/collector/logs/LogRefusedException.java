package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JacksonException;

/**
 * Thrown if a log sender's data is refused, including all that follows. The message is one sentence
 * with the cause and, where possible, the configuration that helps.
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

  /** Omits the source location, which Jackson would print as unknown. */
  private static String describe(Throwable cause) {
    return cause instanceof JacksonException json ? json.getOriginalMessage() : cause.getMessage();
  }

  /** Truncates a message. It may quote hostile bytes, which the log's caller must make safe. */
  private static String cut(String text) {
    String known = text == null ? "no reason given" : text;
    return known.substring(0, Math.min(known.length(), MAX_QUOTE_CHARACTERS)).replace('\n', ' ');
  }
}
