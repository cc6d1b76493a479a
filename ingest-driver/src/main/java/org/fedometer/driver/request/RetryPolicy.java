package org.fedometer.driver.request;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Limits of an ingest's retries; {@link Attempts} defines what counts. Waits double from the first
 * to the longest, each randomly shortened by up to half, so that workers do not synchronize.
 *
 * @param maxAttempts maximum requests for one object. Refused connections during an outage do not
 *     count, nor does one attempt that otherwise failed because Fedora went away.
 * @param maxWait longest wait between attempts, except for {@code Retry-After}, which is followed
 *     up to 30 s
 * @param outageLimit how long Fedora may be out of reach before the run stops
 */
public record RetryPolicy(
    int maxAttempts, Duration firstWait, Duration maxWait, Duration outageLimit) {

  private static final Duration MAX_RETRY_AFTER = Duration.ofSeconds(30);

  public RetryPolicy {
    Objects.requireNonNull(firstWait, "firstWait");
    Objects.requireNonNull(maxWait, "maxWait");
    Objects.requireNonNull(outageLimit, "outageLimit");
    if (maxAttempts < 1) {
      throw new IllegalArgumentException(
          "An object needs at least one attempt, but maxAttempts is " + maxAttempts + ".");
    }
    if (firstWait.isNegative() || maxWait.compareTo(firstWait) < 0) {
      throw new IllegalArgumentException(
          "The first wait must not be negative or above the maximum wait, but they are "
              + firstWait
              + " and "
              + maxWait
              + ".");
    }
    if (outageLimit.isNegative()) {
      throw new IllegalArgumentException("outageLimit must not be negative: " + outageLimit);
    }
  }

  /**
   * Returns a policy of five attempts, 100 ms to 10 s apart; a minute without Fedora ends the run.
   */
  public static RetryPolicy standard() {
    return new RetryPolicy(
        5, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofMinutes(1));
  }

  public RetryPolicy withOutageLimit(Duration limit) {
    return new RetryPolicy(maxAttempts, firstWait, maxWait, limit);
  }

  /** Returns whether a status may differ next time. */
  public static boolean isRetryable(int status) {
    return status >= 500 || status == 408 || status == 409 || status == 425 || status == 429;
  }

  /**
   * @param failures consecutive failed attempts, one or more
   * @param retryAfter delay requested by the response, zero if none
   */
  public Duration waitAfter(int failures, Duration retryAfter) {
    int doublings = Math.min(failures - 1, 20);
    long maxNanos = maxWait.toNanos();
    long first = firstWait.toNanos();
    long nanos = first > maxNanos >> doublings ? maxNanos : first << doublings;
    long jittered = nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    Duration cappedRetryAfter =
        retryAfter.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : retryAfter;
    return jittered > cappedRetryAfter.toNanos() ? Duration.ofNanos(jittered) : cappedRetryAfter;
  }
}
