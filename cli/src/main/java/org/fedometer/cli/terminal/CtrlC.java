package org.fedometer.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Allows a job to finish cleanly on Ctrl-C or {@code kill}: requests a stop and delays the JVM's
 * shutdown for a bounded time.
 */
public final class CtrlC implements AutoCloseable {
  /**
   * Covers requests in flight (40 s), Fedora's last flush (180 s), its shutdown (70 s), that of its
   * database (45 s), and 10 s for others such as sealing.
   */
  private static final long TIMEOUT_SECONDS = 360;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private CtrlC(Runnable interrupt) {
    hook =
        new Thread(
            () -> {
              interrupt.run();
              awaitEnd();
            },
            "fedometer-ctrl-c");
  }

  /** Until {@link #close}, JVM shutdown calls {@code interrupt} and waits. */
  public static CtrlC register(Runnable interrupt) {
    CtrlC ctrlC = new CtrlC(interrupt);
    Runtime.getRuntime().addShutdownHook(ctrlC.hook);
    return ctrlC;
  }

  private void awaitEnd() {
    try {
      if (!ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        System.err.println(
            "fedometer: the shutdown did not finish within "
                + TIMEOUT_SECONDS
                + " s; 'fedometer stack list' shows what still runs, 'fedometer stack down --home DIR' ends it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook has run and was just released.
    }
  }
}
