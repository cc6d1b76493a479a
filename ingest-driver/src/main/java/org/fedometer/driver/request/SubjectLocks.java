package org.fedometer.driver.request;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.driver.fedora.FedoraResponse;

/**
 * Lets workers change an object one after the other where Fedora refuses to have it changed by two
 * at once, as 3.5 does with 409; 3.8.1 makes them wait by itself, and that is left to it, so that
 * it is measured. Used by all workers.
 */
public final class SubjectLocks {

  private static final int CONFLICT = 409;

  private final ConcurrentMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  /** From a refusal for another change under way on, changes of this object are made one by one. */
  public void recordResponse(String pid, FedoraResponse response) {
    if (response.status() == CONFLICT) {
      locks.putIfAbsent(pid, new ReentrantLock(true));
    }
  }

  /**
   * Returns when the object may be changed; what is returned is to be closed afterwards. A stop
   * ends the change that is waited for; an interrupt ends the waiting.
   */
  public Turn acquire(String pid) throws RunStop {
    ReentrantLock lock = locks.get(pid);
    if (lock == null) {
      return () -> {};
    }
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
    return lock::unlock;
  }

  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }
}
