package org.fedometer.collector.journal;

/** A run's name belongs to another run; the message is for the user. */
final class RunTakenException extends Exception {
  RunTakenException(String message) {
    super(message);
  }

  static RunTakenException ofName(String name, String ownerRunId) {
    return new RunTakenException(
        "the run name \"%s\" belongs to the run %s already; choose another name"
            .formatted(name, ownerRunId));
  }
}
