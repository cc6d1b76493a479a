package org.fedometer.collector.journal;

/** A run's name belongs to another run; the message is for the user. */
final class RunTakenException extends Exception {
  RunTakenException(String message) {
    super(message);
  }
}
