package org.fedometer.collector.segmentlog;

/** Thrown if a run's name belongs to another run; the message is for the user. */
final class RunConflictException extends Exception {
  RunConflictException(String message) {
    super(message);
  }

  static RunConflictException ofName(String name, String ownerRunId) {
    return new RunConflictException(
        "the run name \"%s\" already belongs to the run %s; choose another name"
            .formatted(name, ownerRunId));
  }
}
