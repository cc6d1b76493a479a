package org.fedometer.experiments.job;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.fedometer.experiments.threads.DaemonThreads;
import org.fedometer.wire.FailureText;

/**
 * Runs a task four times a second, on its own thread, until closed. Notes the first failure, and
 * continues.
 */
public final class Ticker implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final Duration END_TIMEOUT = Duration.ofSeconds(1);

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("fedometer-progress"));

  private final Runnable tick;
  private final JobListener listener;

  /** Confined to the ticker's thread. */
  private boolean failureReported;

  private Ticker(Runnable tick, JobListener listener) {
    this.tick = tick;
    this.listener = listener;
  }

  public static Ticker start(Runnable tick, JobListener listener) {
    Ticker ticker = new Ticker(tick, listener);
    ticker.executor.scheduleAtFixedRate(
        ticker::tick, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return ticker;
  }

  private void tick() {
    try {
      tick.run();
    } catch (RuntimeException | Error e) {
      // A scheduled task that throws would silently never run again.
      reportFailure(e);
    }
  }

  private void reportFailure(Throwable failure) {
    if (failureReported) {
      return;
    }
    failureReported = true;
    try {
      listener.note("Progress could not be read or shown: " + FailureText.of(failure));
    } catch (RuntimeException e) {
      // The listener itself may fail.
    }
  }

  /** Starts no more calls; a current one has a second to end. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
