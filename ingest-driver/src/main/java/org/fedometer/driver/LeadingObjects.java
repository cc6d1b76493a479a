package org.fedometer.driver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Tracks the objects that others refer to or add statements to. They are settled before any other
 * object is sent. Thread-safe.
 */
final class LeadingObjects {

  private static final long POLL_MILLIS = 500;

  private final long number;
  private final CountDownLatch open;

  /**
   * @param number how many of the dataset's first objects lead
   * @param open how many of them this ingest has yet to settle
   */
  LeadingObjects(long number, int open) {
    this.number = number;
    this.open = new CountDownLatch(open);
  }

  long number() {
    return number;
  }

  /** Marks an object as ingested or abandoned. */
  void settled(long index) {
    if (index < number) {
      open.countDown();
    }
  }

  /**
   * Waits until all leading objects are settled. Returns at once for a leading object.
   *
   * @param over true if the load ends early and waiting is pointless
   * @return false if the load ends early
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
