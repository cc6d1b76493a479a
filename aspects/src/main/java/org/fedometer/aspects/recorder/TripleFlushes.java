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
  private final AtomicLong succeededDropped = new AtomicLong();
  private final AtomicLong failedDropped = new AtomicLong();

  TripleFlushes() {}

  // --- Fedora's threads

  public void add(TripleFlush flush) {
    int max = flush.failureOrNull() == null ? LIMIT : 2 * LIMIT;
    boolean waits = false;
    try {
      waits = waiting.incrementAndGet() <= max && queue.add(flush);
    } finally {
      // Also where the queue found no memory: its room would be taken for ever.
      if (!waits) {
        waiting.decrementAndGet();
        countDropped(flush);
      }
    }
  }

  // --- The drainer

  /** The next one, or {@code null}. */
  public TripleFlush poll() {
    TripleFlush flush = queue.poll();
    if (flush != null) {
      waiting.decrementAndGet();
    }
    return flush;
  }

  /** One of which nobody can be told; it is counted. Any thread. */
  public void countDropped(TripleFlush flush) {
    (flush.failureOrNull() == null ? succeededDropped : failedDropped).incrementAndGet();
  }

  /** How many that ended well were left out since this was asked last. */
  public long succeededDroppedSinceLastCall() {
    return succeededDropped.getAndSet(0);
  }

  /** How many that failed were left out since this was asked last. */
  public long failedDroppedSinceLastCall() {
    return failedDropped.getAndSet(0);
  }
}
