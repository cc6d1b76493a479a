package org.fedometer.agent.core.threads;

import java.util.ArrayList;
import java.util.List;

/** The JVM's live threads, without the stack traces of the JDK's own listing. */
public final class AllThreads {

  private AllThreads() {}

  /** Returns a copy; threads may have ended meanwhile. */
  public static List<Thread> now() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] threads = new Thread[root.activeCount() * 2 + 16];
    int count = root.enumerate(threads);
    List<Thread> live = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      live.add(threads[i]);
    }
    return live;
  }
}
