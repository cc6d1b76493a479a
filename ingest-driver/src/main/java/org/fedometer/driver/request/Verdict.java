package org.fedometer.driver.request;

import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;

import java.time.Duration;

/**
 * Outcome of one attempt.
 *
 * @param message empty on success; otherwise Fedora's message, or a description
 * @param retryAfter delay that the response requests before the next attempt; zero if none
 * @param weight whether a repeated attempt counts against the policy
 */
public record Verdict(
    RequestEvent.Outcome outcome, String message, Duration retryAfter, Weight weight) {

  public enum Weight {
    COUNTS,
    /**
     * Fedora was away meanwhile, hardly because of the request. Excused only once: an object that
     * crashes Fedora on every attempt must be abandoned.
     */
    EXCUSED_ONCE,
    /** It never reached Fedora. */
    NONE
  }

  /** Returns a verdict without a requested delay; it counts against the policy if repeated. */
  public static Verdict of(RequestEvent.Outcome outcome, String message) {
    return new Verdict(outcome, message, Duration.ZERO, Weight.COUNTS);
  }

  /** Returns a verdict to repeat the request, if the policy allows it. */
  public static Verdict retried(String message, Duration asked, Weight weight) {
    return new Verdict(RETRIED, message, asked, weight);
  }

  /** Returns another outcome, with an addition to the message. */
  public Verdict as(RequestEvent.Outcome other, String addition) {
    return new Verdict(other, message + addition, retryAfter, weight);
  }
}
