package org.fedometer.agent.core.threads;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.wire.FailureText;

/** The threads that this agent starts, identified by its class loader. Any thread. */
public final class DaemonThreads {

  private DaemonThreads() {}

  /**
   * Creates an unstarted daemon thread with the agent's class loader as context. The creator's
   * could be a web application's, which could then not be unloaded, and the thread would not be
   * identifiable.
   */
  public static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
    printErrorsBriefly(thread);
    return thread;
  }

  /** Makes an error that ends the thread print one line instead of a stack trace. */
  public static void printErrorsBriefly(Thread thread) {
    thread.setUncaughtExceptionHandler(
        (ended, error) ->
            System.err.println(
                "fedometer: " + ended.getName() + " ended: " + FailureText.inOneLine(error)));
  }

  /**
   * Waits until the agent's other threads have ended.
   *
   * @return one sentence if some are still alive, else empty
   */
  public static List<String> awaitEnd(long timeoutMillis) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    List<String> late = new ArrayList<>();
    for (Thread thread : running()) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      thread.join(Math.max(1, leftMillis));
      if (thread.isAlive()) {
        late.add(thread.getName());
      }
    }
    return late.isEmpty()
        ? Collections.<String>emptyList()
        : Collections.singletonList("these threads have not stopped: " + String.join(", ", late));
  }

  private static List<Thread> running() {
    List<Thread> threads = new ArrayList<>();
    for (Thread thread : AllThreads.now()) {
      if (thread != Thread.currentThread()
          && thread.getContextClassLoader() == DaemonThreads.class.getClassLoader()) {
        threads.add(thread);
      }
    }
    return threads;
  }
}
