package org.fedometer.experiments.measure;

import java.util.concurrent.atomic.LongAdder;

/**
 * Progress of a driver's check, after its load, of what Fedora may have lost. The driver's thread
 * begins it, its workers count; any thread may read.
 */
final class DurabilityCheck {
  private static final String WHAT = "check of unconfirmed objects";

  private final LongAdder checked = new LongAdder();
  private volatile long startNanos;
  private volatile long roundNanos;
  private volatile long objects;

  /** Begins with a number of objects, 1 or more, or continues with ingested-again ones. */
  void begin(long toLookAt) {
    if (objects == 0) {
      startNanos = System.nanoTime();
    }
    roundNanos = System.nanoTime();
    checked.reset();
    objects = toLookAt;
  }

  void checked() {
    checked.increment();
  }

  boolean hasBegun() {
    return objects > 0;
  }

  /** Returns a nanoTime; meaningless before it has begun. */
  long startNanos() {
    return startNanos;
  }

  /** Returns the progress, once it has begun. */
  VerifyProgress progress() {
    return new VerifyProgress(WHAT, checked.sum(), objects, System.nanoTime() - roundNanos);
  }
}
