package org.fedometer.agent.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.agent.core.threads.AllThreads;

/** The threads that this agent has started, known by its class loader. Any thread. */
final class OwnThreads {

  private OwnThreads() {}

  /**
   * Waits until they have ended.
   *
   * @return one sentence when some have not, else empty
   */
  static List<String> awaitEnd(long timeoutMillis) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    List<String> late = new ArrayList<>();
    for (Thread thread : all()) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      thread.join(Math.max(1, leftMillis));
      if (thread.isAlive()) {
        late.add(thread.getName());
      }
    }
    return late.isEmpty()
        ? Collections.<String>emptyList()
        : Collections.singletonList("these threads have not ended yet: " + String.join(", ", late));
  }

  private static List<Thread> all() {
    List<Thread> own = new ArrayList<>();
    for (Thread thread : AllThreads.now()) {
      if (thread != Thread.currentThread()
          && thread.getContextClassLoader() == OwnThreads.class.getClassLoader()) {
        own.add(thread);
      }
    }
    return own;
  }
}
