package org.fedometer.driver.threads;

import java.util.concurrent.ThreadFactory;

/**
 * Makes the driver's threads: none keeps the process from ending, and each has a name that begins
 * with {@code fedometer-}. Stateless, any thread.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Not started yet. */
  public static Thread newThread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public static ThreadFactory newFactory(String name) {
    return work -> newThread(name, work);
  }
}
