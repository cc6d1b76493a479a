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
        ? "out of memory ("
            + e.getMessage()
            + "); if Java's heap is full, enlarge it with the variable FEDOMETER_HEAP, for"
            + " example to 2g"
        : "unexpected: " + FailureText.of(e);
  }
}
