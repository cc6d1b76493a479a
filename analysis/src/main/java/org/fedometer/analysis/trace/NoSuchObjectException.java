package org.fedometer.analysis.trace;

/** A run has no such object or attempt; the message is for the user and says what there is. */
public final class NoSuchObjectException extends Exception {
  NoSuchObjectException(String message) {
    super(message);
  }
}
