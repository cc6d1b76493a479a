package org.fedometer.driver.mix;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Lists by OAI-PMH that are under way. A step fetches one page, and any worker fetches the next.
 * The number is limited: Fedora keeps a database connection for every unfinished list until 500 s
 * after its latest page. One per kind of list. Thread-safe.
 */
final class Harvests {

  /** Maximum number of lists under way. */
  static final int MAX_OPEN = 4;

  /** Before Fedora expires a list, after 500 s. */
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(400);

  private static final long POLL_MILLIS = 250;

  private final StopSignal stop;
  private final Semaphore free = new Semaphore(MAX_OPEN, true);
  private final Deque<Open> open = new ArrayDeque<>();

  private record Open(String token, long nanos) {}

  Harvests(StopSignal stop) {
    this.stop = stop;
  }

  /**
   * Waits until a list may be continued or begun; {@link #put} must follow.
   *
   * @return token for the next page of a list, or null to begin a new one
   */
  String take() throws RunStop {
    try {
      while (!free.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (stop.raised()) {
          throw RunStop.asRequested();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    }
    synchronized (open) {
      while (!open.isEmpty()) {
        Open next = open.removeFirst();
        if (System.nanoTime() - next.nanos() < MAX_AGE_NANOS) {
          return next.token();
        }
      }
      return null;
    }
  }

  /**
   * @param token for the following page; empty after the last page or a failure
   */
  void put(String token) {
    if (!token.isEmpty()) {
      synchronized (open) {
        open.addLast(new Open(token, System.nanoTime()));
      }
    }
    free.release();
  }
}
