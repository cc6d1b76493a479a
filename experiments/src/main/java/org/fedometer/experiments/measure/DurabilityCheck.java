package org.fedometer.experiments.measure;

import java.util.concurrent.atomic.LongAdder;

/**
 * The look of a driver, when its load is over, at what Fedora may have lost: when that began and
 * how far it is. The driver's thread begins it, its workers count up, any thread asks.
 */
final class DurabilityCheck {
  private static final String WHAT = "check of unconfirmed objects";

  private final LongAdder checked = new LongAdder();
  private volatile long startNanos;
  private volatile long roundNanos;
  private volatile long objects;

  /** Begins with so many objects, 1 or more, or goes on with what was ingested again. */
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

  /** A nanoTime; of no meaning before it has begun. */
  long startNanos() {
    return startNanos;
  }

  /** How far it is, once it has begun. */
  VerifyProgress progress() {
    return new VerifyProgress(WHAT, checked.sum(), objects, System.nanoTime() - roundNanos);
  }
}
