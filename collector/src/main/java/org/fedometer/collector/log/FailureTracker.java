package org.fedometer.collector.log;

import java.time.Duration;

/**
 * Something that fails again and again: what to tell, whether it is time to log it once more, and
 * whether to leave it alone for now. For one thread.
 */
public final class FailureTracker {
  private static final long FIRST_LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long MAX_LOG_INTERVAL_NANOS = Duration.ofHours(1).toNanos();

  private String reason = "";
  private int failureCount;
  private long failedNanos;
  private long logIntervalNanos;
  private long nextLogNanos;

  /** Empty while all is well. */
  public String reason() {
    return reason;
  }

  public int failureCount() {
    return failureCount;
  }

  /** Whether it has failed so recently, and is to be tried later. */
  public boolean failedWithin(Duration pause, long nowNanos) {
    return failureCount > 0 && nowNanos - failedNanos < pause.toNanos();
  }

  /** Returns whether to log it: the first time, and then ever more rarely. */
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

  /** Returns whether there was any. */
  public boolean recordSuccess() {
    boolean was = failureCount > 0;
    reason = "";
    failureCount = 0;
    return was;
  }
}
