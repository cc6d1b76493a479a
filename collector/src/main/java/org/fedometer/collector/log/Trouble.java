package org.fedometer.collector.log;

import java.time.Duration;

/**
 * Something that fails again and again: what to tell, whether it is time to log it once more, and
 * whether to leave it alone for now. For one thread.
 */
public final class Trouble {
  private static final long FIRST_SILENCE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST_SILENCE_NANOS = Duration.ofHours(1).toNanos();

  private String reason = "";
  private int failures;
  private long failedNanos;
  private long silenceNanos;
  private long silentUntilNanos;

  /** Empty while all is well. */
  public String reason() {
    return reason;
  }

  public int failures() {
    return failures;
  }

  /** Whether it has failed so recently, and is to be tried later. */
  public boolean failedWithin(Duration pause, long nowNanos) {
    return failures > 0 && nowNanos - failedNanos < pause.toNanos();
  }

  /** Returns whether to log it: the first time, and then ever more rarely. */
  public boolean failed(String why, long nowNanos) {
    reason = why;
    failures++;
    failedNanos = nowNanos;
    if (failures > 1 && nowNanos - silentUntilNanos < 0) {
      return false;
    }
    silenceNanos =
        failures == 1 ? FIRST_SILENCE_NANOS : Math.min(2 * silenceNanos, LONGEST_SILENCE_NANOS);
    silentUntilNanos = nowNanos + silenceNanos;
    return true;
  }

  /** Returns whether there was any. */
  public boolean over() {
    boolean was = failures > 0;
    reason = "";
    failures = 0;
    return was;
  }
}
