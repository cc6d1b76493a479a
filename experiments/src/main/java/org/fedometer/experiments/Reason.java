package org.fedometer.experiments;

/** Why something failed, in words for a message; some exceptions bring none. Stateless. */
public final class Reason {
  private Reason() {}

  /** The exception's message, or what it is where it has none. Never null. */
  public static String of(Throwable e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
