package org.fedometer.collector.log;

import java.time.Duration;

/**
 * Tracks a repeated failure: its reason, when to log it again, and when to retry. For one thread.
 */
public final class FailureTracker {
  private static final long FIRST_LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long MAX_LOG_INTERVAL_NANOS = Duration.ofHours(1).toNanos();

  private String reason = "";
  private int failureCount;
  private long failedNanos;
  private long logIntervalNanos;
  private long nextLogNanos;

  /** Returns the reason; empty after a success. */
  public String reason() {
    return reason;
  }

  public int failureCount() {
    return failureCount;
  }

  /**
   * Returns whether the last failure is more recent than {@code pause}, so that a retry has to
   * wait.
   */
  public boolean failedWithin(Duration pause, long nowNanos) {
    return failureCount > 0 && nowNanos - failedNanos < pause.toNanos();
  }

  /** Returns whether to log the failure: the first time, then at growing intervals. */
  public boolean recordFailure(String why, long nowNanos) {
    reason = why;
    failureCount++;
    failedNanos = nowNanos;
    if (failureCount > 1 && nowNanos - nextLogNanos < 0) {
      return false;
    }
    logIntervalNanos =
        failureCount == 1
            ? FIRST_LOG_INTERVAL_NANOS
            : Math.min(2 * logIntervalNanos, MAX_LOG_INTERVAL_NANOS);
    nextLogNanos = nowNanos + logIntervalNanos;
    return true;
  }

  /** Returns whether a failure preceded. */
  public boolean recordSuccess() {
    boolean was = failureCount > 0;
    reason = "";
    failureCount = 0;
    return was;
  }
}
