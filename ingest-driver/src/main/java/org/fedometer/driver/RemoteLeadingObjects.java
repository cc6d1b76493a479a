package org.fedometer.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.request.Worker;

/**
 * The leading objects that other shards ingest. Drivers do not communicate, so one worker polls
 * Fedora, object by object, while the others wait. Thread-safe.
 */
final class RemoteLeadingObjects {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private final Dataset dataset;
  private final Shard shard;
  private final long end;
  private final RequestListener listener;
  private final ReentrantLock pollLock = new ReentrantLock();
  private boolean reported;

  /** All below this index are in Fedora; written under the lock. */
  private volatile long next;

  /**
   * @param first index of the first object of the ingest
   * @param end index after the last leading object of the ingest
   */
  RemoteLeadingObjects(
      Dataset dataset, Shard shard, long first, long end, RequestListener listener) {
    this.dataset = dataset;
    this.shard = shard;
    this.end = end;
    this.listener = listener;
    this.next = nextRemote(first);
  }

  private long nextRemote(long index) {
    return !shard.isPart() ? end : shard.has(index) ? index + 1 : index;
  }

  /**
   * Waits until all are in Fedora.
   *
   * @param over true if the load ends early and waiting is pointless
   * @return false if the load ends early
   */
  boolean await(Worker worker, BooleanSupplier over) throws RunStop {
    while (next < end) {
      if (worker.stop().raised()) {
        throw RunStop.asRequested();
      }
      if (over.getAsBoolean()) {
        return false;
      }
      try {
        if (!pollLock.tryLock(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
          continue;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw RunStop.asRequested();
      }
      try {
        poll(worker);
      } finally {
        pollLock.unlock();
      }
    }
    return true;
  }

  private void poll(Worker worker) throws RunStop {
    while (next < end) {
      RepositoryObject object = RunStop.makeObject(dataset, next);
      if (!isComplete(worker, object)) {
        if (!reported) {
          listener.onAwaiting(object.pid());
          reported = true;
        }
        worker.stop().pause(POLL_INTERVAL);
        return;
      }
      next = nextRemote(next + 1);
    }
  }

  /** Returns whether all datastreams exist, since they may be added one by one. */
  private boolean isComplete(Worker worker, RepositoryObject object) throws RunStop {
    long startNanos = System.nanoTime();
    try {
      return worker
          .session()
          .datastreamIds(object.pid())
          .orElse(Set.of())
          .containsAll(object.datastreamIds());
    } catch (LoginRefusedException e) {
      throw RunStop.loginRefused(e);
    } catch (FedoraRefusalException e) {
      return false;
    } catch (IOException e) {
      worker.awaitFedora(Messages.of(e), startNanos);
      return false;
    }
  }
}
