package org.fedometer.driver.request;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.driver.fedora.FedoraResponse;

/**
 * Serializes changes of an object if Fedora rejects concurrent ones, as 3.5 does with 409. With
 * 3.8.1, which queues them itself, they stay concurrent, so that its waits are measured.
 * Thread-safe.
 */
public final class SubjectLocks {

  private static final int CONFLICT = 409;

  private final ConcurrentMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  /** Serializes later changes of an object after a rejection for a concurrent change. */
  public void recordResponse(String pid, FedoraResponse response) {
    if (response.status() == CONFLICT) {
      locks.putIfAbsent(pid, new ReentrantLock(true));
    }
  }

  /**
   * Waits until the object may be changed; close the result afterwards. A stop ends the other
   * change; an interrupt ends the wait.
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
