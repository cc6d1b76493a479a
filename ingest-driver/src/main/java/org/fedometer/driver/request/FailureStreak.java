package org.fedometer.driver.request;

/**
 * Detects that continuing is pointless: the first objects all fail alike, or very many in a row
 * fail in any way (a full disk, a lost database). The run then stops with that failure instead of
 * collecting a million. Thread-safe.
 */
public final class FailureStreak {

  /** Number of identical failures at the start that suffices. */
  public static final int MAX_INITIAL_FAILURES = 20;

  /** Number of consecutive failures that suffices at any time. */
  static final int MAX_CONSECUTIVE_FAILURES = 100;

  private final String things;
  private String commonMessage;
  private boolean alike = true;
  private boolean anyIngested;
  private int consecutive;

  /**
   * @param things failing things, in the plural
   */
  public FailureStreak(String things) {
    this.things = things;
  }

  /**
   * Judges every object that was ingested or failed, in any order.
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
