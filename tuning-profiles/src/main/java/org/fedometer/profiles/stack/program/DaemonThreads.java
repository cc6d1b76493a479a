package org.fedometer.profiles.stack.program;

/**
 * Creates threads for the provisioning of stacks. They do not prevent the end of the process, and
 * their names begin with {@code fedometer-}. Stateless, any thread.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Returns a thread that is not yet started. */
  public static Thread newThread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
