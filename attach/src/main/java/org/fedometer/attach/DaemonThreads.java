package org.fedometer.attach;

import java.util.concurrent.ThreadFactory;

/**
 * Makes the threads that wait for other JVMs: none keeps the process from ending, and each has a
 * name that begins with {@code fedometer-}. Stateless, any thread.
 */
final class DaemonThreads {
  private DaemonThreads() {}

  /** Not started yet. */
  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  static ThreadFactory factory(String name) {
    return work -> daemon(name, work);
  }
}
