package org.fedometer.driver;

/**
 * Notices when an ingest is wrong from the start: if the first objects all fail in the same way,
 * the rest will too, and the run stops with that answer instead of collecting a million failures.
 */
final class FirstAnswers {

  static final int OBJECTS = 20;

  private String common;
  private int alike;
  private boolean settled;

  /**
   * Called for every object that is ingested or given up, in whatever order.
   *
   * @return the reason to stop, or null
   */
  synchronized String judge(RequestEvent last) {
    if (settled) {
      return null;
    }
    boolean failed = last.outcome() == RequestEvent.Outcome.FAILED;
    String said = last.message().replace(last.pid(), "PID").replaceAll("[0-9]+", "#");
    if (!failed || common != null && !common.equals(said)) {
      settled = true;
      return null;
    }
    common = said;
    if (++alike < OBJECTS) {
      return null;
    }
    settled = true;
    return "The first "
        + OBJECTS
        + " objects all failed in the same way, the latest "
        + last.pid()
        + ": "
        + last.message();
  }
}
