package org.fedometer.driver.mix;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Lists by OAI-PMH that are under way: a step fetches one page, and whichever worker is next goes
 * on with the next. Fedora keeps a database connection for every list that has not been fetched to
 * its end, for 500 s after its latest page, so that there are few. One for each kind of list, used
 * by all workers.
 */
final class Harvests {

  /** Lists under way at once. */
  static final int MAX_OPEN = 4;

  /** Before Fedora forgets a list, which it does after 500 s. */
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
   * Returns when a list may be gone on with or begun; {@link #put} must follow.
   *
   * @return token for the next page of a list, or null: a new one is to be begun
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
   * @param token for the page after the one that was fetched; empty if it was the last, or none
   *     came
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
