package org.fedometer.agent.core;

import java.util.concurrent.TimeUnit;
import org.fedometer.agent.core.threads.AllThreads;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.agent.core.weave.Weaving;

/**
 * Ships what is left when Fedora's JVM ends; a shutdown hook.
 *
 * <p>Hooks run side by side. Tomcat's own stops Fedora, which then writes its last triples: that is
 * worth seeing, so this one waits for Tomcat's to end, but not for ever. The drainer goes on
 * meanwhile.
 */
final class ShutdownDrain extends Thread {

  private static final String TOMCAT_HOOK = "org.apache.catalina.";
  private static final long TOMCAT_START_MILLIS = 200;
  private static final long TOMCAT_STOP_MILLIS = 60_000;
  private static final long STEP_MILLIS = 20;

  private final Weaving weaving;
  private final Runnable end;

  /**
   * @param end what to do when Tomcat has ended
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
    // The JVM starts hooks one after the other; Tomcat's may come after ours.
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
   * named so since Tomcat 5.
   */
  private static boolean isHook(Thread thread) {
    return thread.getClass().getName().endsWith("ShutdownHook");
  }
}
