package org.fedometer.profiles.stack.program;

/**
 * Makes the threads of those who make stacks: none keeps the process from ending, and each has a
 * name that begins with {@code fedometer-}. Stateless, any thread.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Not started yet. */
  public static Thread newThread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
