package org.fedometer.experiments.telemetry;

import java.time.Duration;

/**
 * A task at a fixed rate that skips runs missed by a slow one instead of repeating them at once.
 * Not thread-safe.
 */
final class Paced implements Runnable {
  private final long minNanos;
  private final Runnable task;
  private long lastNanos;
  private boolean begun;

  Paced(Duration interval, Runnable task) {
    this.minNanos = interval.toNanos() / 2;
    this.task = task;
  }

  @Override
  public void run() {
    long nowNanos = System.nanoTime();
    if (!begun || nowNanos - lastNanos >= minNanos) {
      begun = true;
      lastNanos = nowNanos;
      task.run();
    }
  }
}
