package org.fedometer.driver;

/** Ends a whole ingest, not one object: thrown by a worker and reported as the run's reason. */
final class RunStop extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean requested;

  private RunStop(String reason, boolean requested, Throwable cause) {
    super(reason, cause);
    this.requested = requested;
  }

  static RunStop because(String reason, Throwable cause) {
    return new RunStop(reason, false, cause);
  }

  static RunStop asRequested() {
    return new RunStop("Stopped on request.", true, null);
  }

  /** Whether somebody asked for the stop, as against something having gone wrong. */
  boolean requested() {
    return requested;
  }
}
