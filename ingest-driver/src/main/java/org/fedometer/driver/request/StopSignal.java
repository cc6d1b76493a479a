package org.fedometer.driver.request;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Signals the end of an ingest to all workers, and wakes those that wait. */
public final class StopSignal {

  private final CountDownLatch latch = new CountDownLatch(1);

  /** Raises the signal permanently. Thread-safe, idempotent. */
  public void raise() {
    latch.countDown();
  }

  public boolean raised() {
    return latch.getCount() == 0;
  }

  /** Waits, at most until the signal is raised. */
  public void pause(Duration duration) throws RunStop {
    try {
      if (latch.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
        throw RunStop.asRequested();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
  }
}
