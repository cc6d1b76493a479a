package org.fedometer.attach;

import java.util.concurrent.ThreadFactory;

/**
 * Creates the daemon threads that wait for other JVMs; their names start with {@code fedometer-}.
 * Stateless, any thread.
 */
final class DaemonThreads {
  private DaemonThreads() {}

  /** Creates an unstarted thread. */
  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  static ThreadFactory factory(String name) {
    return work -> daemon(name, work);
  }
}
