package org.fedometer.aspects.recorder;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where flushes of triples wait until the agent's drainer takes them. Fedora's threads put in and
 * never wait: those that find no room are left out and counted.
 */
public final class TripleFlushes {

  /** Flushes that can wait; those that failed find room for as many more. */
  private static final int LIMIT = 1_000;

  private final ConcurrentLinkedQueue<TripleFlush> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong doneLeftOut = new AtomicLong();
  private final AtomicLong failedLeftOut = new AtomicLong();

  TripleFlushes() {}

  // --- Fedora's threads

  public void put(TripleFlush flush) {
    int most = flush.failureOrNull() == null ? LIMIT : 2 * LIMIT;
    boolean waits = false;
    try {
      waits = waiting.incrementAndGet() <= most && queue.add(flush);
    } finally {
      // Also where the queue found no memory: its room would be taken for ever.
      if (!waits) {
        waiting.decrementAndGet();
        leaveOut(flush);
      }
    }
  }

  // --- The drainer

  /** The next one, or {@code null}. */
  public TripleFlush take() {
    TripleFlush flush = queue.poll();
    if (flush != null) {
      waiting.decrementAndGet();
    }
    return flush;
  }

  /** One of which nobody can be told; it is counted. Any thread. */
  public void leaveOut(TripleFlush flush) {
    (flush.failureOrNull() == null ? doneLeftOut : failedLeftOut).incrementAndGet();
  }

  /** How many that ended well were left out since this was asked last. */
  public long takeDoneLeftOut() {
    return doneLeftOut.getAndSet(0);
  }

  /** How many that failed were left out since this was asked last. */
  public long takeFailedLeftOut() {
    return failedLeftOut.getAndSet(0);
  }
}
