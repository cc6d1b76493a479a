package org.fedometer.agent.core;

import java.util.concurrent.TimeUnit;
import org.fedometer.agent.core.threads.AllThreads;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.agent.core.weave.Weaving;

/**
 * Shutdown hook that sends the remaining data when Fedora's JVM ends.
 *
 * <p>Hooks run concurrently. Tomcat's hook stops Fedora, which then writes its last triples. To
 * record those, this hook waits for Tomcat's, with a timeout, while the drainer continues.
 */
final class ShutdownDrain extends Thread {

  private static final String TOMCAT_HOOK = "org.apache.catalina.";
  private static final long TOMCAT_START_MILLIS = 200;
  private static final long TOMCAT_STOP_MILLIS = 60_000;
  private static final long STEP_MILLIS = 20;

  private final Weaving weaving;
  private final Runnable end;

  /**
   * @param end action after Tomcat has ended
   */
  ShutdownDrain(Weaving weaving, Runnable end) {
    super("fedometer-shutdown");
    setContextClassLoader(ShutdownDrain.class.getClassLoader());
    DaemonThreads.printErrorsBriefly(this);
    this.weaving = weaving;
    this.end = end;
  }

  @Override
  public void run() {
    try {
      if (weaving.hasSeenTomcat()) {
        awaitTomcat();
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    } finally {
      end.run();
    }
  }

  private static void awaitTomcat() throws InterruptedException {
    // The JVM starts hooks one after the other; Tomcat's may come later.
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TOMCAT_START_MILLIS);
    while (System.nanoTime() - deadlineNanos < 0) {
      for (Thread thread : AllThreads.now()) {
        if (thread.getClass().getName().startsWith(TOMCAT_HOOK) && isHook(thread)) {
          thread.join(TOMCAT_STOP_MILLIS);
          return;
        }
      }
      Thread.sleep(STEP_MILLIS);
    }
  }

  /**
   * Tomcat's other threads are plain ones with its runnables; only the hook is a class of its own,
   * with this name since Tomcat 5.
   */
  private static boolean isHook(Thread thread) {
    return thread.getClass().getName().endsWith("ShutdownHook");
  }
}
