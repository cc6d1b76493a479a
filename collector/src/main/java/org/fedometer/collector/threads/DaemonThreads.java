package org.fedometer.collector.threads;

import java.util.concurrent.ThreadFactory;

/**
 * Makes the collector's threads that do not keep its process alive: what they do is lost without
 * harm when it ends. No daemons are the journal's thread and the sealer's, which end what they have
 * begun, and those of the doors, for which the process is there; whoever starts one of these has to
 * end it when the start fails. Stateless, any thread.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Not started yet. */
  public static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public static ThreadFactory daemons(String name) {
    return work -> daemon(name, work);
  }
}
