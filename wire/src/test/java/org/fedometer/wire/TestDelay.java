package org.fedometer.wire;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that is itself what a test tries: a fault that lasts, a peer that is slow, the pace of a
 * load. What a test waits for is a condition with a deadline, and never this. Stateless, any
 * thread.
 */
public final class TestDelay {
  private TestDelay() {}

  /** Goes on after so long; at once where the thread is interrupted, which it stays. */
  public static void sleep(Duration length) {
    long endNanos = System.nanoTime() + length.toNanos();
    long leftNanos = length.toNanos();
    while (leftNanos > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(leftNanos);
      leftNanos = endNanos - System.nanoTime();
    }
  }
}
