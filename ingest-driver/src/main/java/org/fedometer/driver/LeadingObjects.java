package org.fedometer.driver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * The objects that others refer to or add statements to: they are settled before any other is sent.
 * Used by all workers.
 */
final class LeadingObjects {

  private static final long POLL_MILLIS = 500;

  private final long number;
  private final CountDownLatch open;

  /**
   * @param number how many of the dataset's first objects lead
   * @param open how many of them this ingest has yet to bring
   */
  LeadingObjects(long number, int open) {
    this.number = number;
    this.open = new CountDownLatch(open);
  }

  long number() {
    return number;
  }

  /** The object is in Fedora, or given up. */
  void settled(long index) {
    if (index < number) {
      open.countDown();
    }
  }

  /**
   * Returns at once for one that leads, for others when all that lead are settled.
   *
   * @param over whether there is nothing left to wait for: the load ends early
   * @return false if it does
   */
  boolean await(long index, StopSignal stop, BooleanSupplier over) throws RunStop {
    if (index < number) {
      return true;
    }
    try {
      while (!open.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (stop.raised()) {
          throw RunStop.asRequested();
        }
        if (over.getAsBoolean()) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
  }
}
