package org.fedometer.collector.threads;

import java.util.concurrent.ThreadFactory;

/**
 * Creates the collector's daemon threads, whose work may be lost when the process exits.
 *
 * <p>The threads of the segment log and the sealer, which finish their work, and of the listeners,
 * which keep the process alive, are no daemons. Code that starts one of those must end it if the
 * start fails. Stateless, any thread.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Returns a thread that is not started. */
  public static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public static ThreadFactory daemons(String name) {
    return work -> daemon(name, work);
  }
}
