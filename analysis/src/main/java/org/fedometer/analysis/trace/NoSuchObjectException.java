package org.fedometer.analysis.trace;

/**
 * Thrown if a run has no such object or attempt; the message is for the user and lists existing
 * ones.
 */
public final class NoSuchObjectException extends Exception {
  NoSuchObjectException(String message) {
    super(message);
  }
}
