package org.fedometer.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Gives a job the chance to end well when the process is told to end (Ctrl-C, {@code kill}): asks
 * it to stop and holds the JVM's end until it has, for a bounded time.
 */
public final class CtrlC implements AutoCloseable {
  /**
   * Requests under way (40 s), Fedora's last flush (180 s), its end (70 s) and that of its database
   * (45 s) are given up within this; the wait for others, such as for the seal, within 10 s.
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

  /** From here until {@link #close}, the end of the JVM calls {@code interrupt} and waits. */
  public static CtrlC register(Runnable interrupt) {
    CtrlC ctrlC = new CtrlC(interrupt);
    Runtime.getRuntime().addShutdownHook(ctrlC.hook);
    return ctrlC;
  }

  private void awaitEnd() {
    try {
      if (!ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        System.err.println(
            "fedometer: not everything has ended within "
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
      // The JVM is ending: the hook has run and was just released.
    }
  }
}
