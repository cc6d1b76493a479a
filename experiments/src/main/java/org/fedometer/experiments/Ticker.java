package org.fedometer.experiments;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Calls something four times a second, on a thread of its own, until it is closed. */
final class Ticker implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
          });

  private Ticker() {}

  static Ticker start(Runnable tick) {
    Ticker ticker = new Ticker();
    ticker.executor.scheduleAtFixedRate(
        tick, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return ticker;
  }

  /** Returns when no tick is running any more and none will. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
