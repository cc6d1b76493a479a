package org.fedometer.driver.request;

import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;

import java.time.Duration;

/**
 * What one attempt came to.
 *
 * @param message empty if all is well; otherwise Fedora's words, or what happened
 * @param retryAfter how long the answer asks to wait before the next attempt; zero if it does not
 * @param weight whether it counts against the policy, if it is to be sent again
 */
public record Verdict(
    RequestEvent.Outcome outcome, String message, Duration retryAfter, Weight weight) {

  public enum Weight {
    COUNTS,
    /**
     * Fedora was away while it lasted, which was hardly the request's fault. So it is excused, but
     * only the first time: what ends each Fedora that it is sent to has to be given up.
     */
    EXCUSED_ONCE,
    /** It never came to Fedora. */
    NONE
  }

  /** Without a wait that was asked for; counts against the policy if it is to be sent again. */
  public static Verdict of(RequestEvent.Outcome outcome, String message) {
    return new Verdict(outcome, message, Duration.ZERO, Weight.COUNTS);
  }

  /** To be sent again, if the policy still allows it. */
  public static Verdict retried(String message, Duration asked, Weight weight) {
    return new Verdict(RETRIED, message, asked, weight);
  }

  /** Another outcome, and what is to be said of that besides. */
  public Verdict as(RequestEvent.Outcome other, String addition) {
    return new Verdict(other, message + addition, retryAfter, weight);
  }
}
