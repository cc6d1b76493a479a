package org.fedometer.driver.request;

/**
 * Notices when there is no point in going on: the first objects all fail in the same way, or,
 * later, very many in a row fail, whatever the answer (a full disk, a database that is gone). The
 * run then stops with that answer instead of collecting a million failures. Called by all workers.
 */
public final class FailureStreak {

  /** So many at the start, all failed alike, are enough. */
  public static final int MAX_INITIAL_FAILURES = 20;

  /** So many in a row are enough at any time. */
  static final int MAX_CONSECUTIVE_FAILURES = 100;

  private final String things;
  private String commonMessage;
  private boolean alike = true;
  private boolean anyIngested;
  private int consecutive;

  /**
   * @param things what fails, in the plural
   */
  public FailureStreak(String things) {
    this.things = things;
  }

  /**
   * Called for every object that is ingested or given up, in whatever order.
   *
   * @return the reason to stop, or null
   */
  public synchronized String judge(RequestEvent last) {
    if (last.outcome() != RequestEvent.Outcome.FAILED) {
      anyIngested = true;
      consecutive = 0;
      return null;
    }
    consecutive++;
    if (!anyIngested && alike) {
      String normalized = last.message().replace(last.pid(), "PID").replaceAll("[0-9]+", "#");
      alike = commonMessage == null || commonMessage.equals(normalized);
      commonMessage = normalized;
      if (alike && consecutive == MAX_INITIAL_FAILURES) {
        return reason(
            "The first " + MAX_INITIAL_FAILURES + " " + things + " all failed in the same way",
            last);
      }
    }
    return consecutive == MAX_CONSECUTIVE_FAILURES
        ? reason("The last " + MAX_CONSECUTIVE_FAILURES + " " + things + " all failed", last)
        : null;
  }

  private static String reason(String what, RequestEvent last) {
    return what + ", the latest " + last.pid() + ": " + last.message();
  }
}
