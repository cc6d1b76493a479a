package org.fedometer.experiments.job;

import org.fedometer.wire.FailureText;

/** Why something failed, in words for a message; some exceptions bring none. Stateless. */
public final class Reason {
  private Reason() {}

  /** The exception's message, or what it is where it has none. Never null. */
  public static String of(Throwable e) {
    return FailureText.of(e);
  }

  /** Of what nobody foresaw; of memory that is full, which is no fault, what to do. Never null. */
  public static String ofFault(Throwable e) {
    return e instanceof OutOfMemoryError
        ? "there is no memory left ("
            + e.getMessage()
            + "); where that is Java's heap, the variable FEDOMETER_HEAP gives it more, 2g say"
        : "unexpected: " + FailureText.of(e);
  }
}
