package org.fedometer.experiments.job;

import org.fedometer.wire.FailureText;

/** Formats the cause of a failure for a message. Stateless. */
public final class Reason {
  private Reason() {}

  /** Returns the exception's message, or its kind if it has none. Never null. */
  public static String of(Throwable e) {
    return FailureText.of(e);
  }

  /**
   * Returns the message of an unexpected fault; for full memory, which is none, with advice. Never
   * null.
   */
  public static String ofFault(Throwable e) {
    return e instanceof OutOfMemoryError
        ? "there is no memory left ("
            + e.getMessage()
            + "); where that is Java's heap, the variable FEDOMETER_HEAP gives it more, 2g say"
        : "unexpected: " + FailureText.of(e);
  }
}
