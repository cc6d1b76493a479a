package org.fedometer.driver.request;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says to all workers of an ingest that it is over, and wakes those that wait. */
public final class StopSignal {

  private final CountDownLatch latch = new CountDownLatch(1);

  /** For good; any thread may, and more than one. */
  public void raise() {
    latch.countDown();
  }

  public boolean raised() {
    return latch.getCount() == 0;
  }

  /** Waits, but not longer than until the signal is raised. */
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
