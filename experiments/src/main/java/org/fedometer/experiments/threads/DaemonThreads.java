package org.fedometer.experiments.threads;

import java.util.concurrent.ThreadFactory;

/**
 * Creates daemon threads of a job, with names that begin with {@code fedometer-}. Stateless,
 * thread-safe.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Creates a thread without starting it. */
  public static Thread newThread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public static ThreadFactory factory(String name) {
    return work -> newThread(name, work);
  }
}
