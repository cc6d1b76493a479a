package org.fedometer.wire;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A delay that is itself under test: a lasting fault, a slow peer, the pace of a load. To wait for
 * a condition, use a deadline instead. Stateless, any thread.
 */
public final class TestDelay {
  private TestDelay() {}

  /** Sleeps this long; returns at once if the thread is interrupted, and keeps its flag. */
  public static void sleep(Duration length) {
    long endNanos = System.nanoTime() + length.toNanos();
    long leftNanos = length.toNanos();
    while (leftNanos > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(leftNanos);
      leftNanos = endNanos - System.nanoTime();
    }
  }
}
