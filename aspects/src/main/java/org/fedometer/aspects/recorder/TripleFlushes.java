package org.fedometer.aspects.recorder;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Buffers flushes of triples until the agent's drainer removes them. Fedora's threads add and never
 * wait: flushes beyond the capacity are dropped and counted.
 */
public final class TripleFlushes {

  /** Capacity; failed flushes have twice that. */
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
      // Also if the queue found no memory: its space would be lost for ever.
      if (!waits) {
        waiting.decrementAndGet();
        countDropped(flush);
      }
    }
  }

  // --- The drainer

  /** Returns the next flush, or {@code null}. */
  public TripleFlush poll() {
    TripleFlush flush = queue.poll();
    if (flush != null) {
      waiting.decrementAndGet();
    }
    return flush;
  }

  /** Counts a dropped flush. Any thread. */
  public void countDropped(TripleFlush flush) {
    (flush.failureOrNull() == null ? succeededDropped : failedDropped).incrementAndGet();
  }

  /** Returns the number of successful flushes dropped since the last call. */
  public long succeededDroppedSinceLastCall() {
    return succeededDropped.getAndSet(0);
  }

  /** Returns the number of failed flushes dropped since the last call. */
  public long failedDroppedSinceLastCall() {
    return failedDropped.getAndSet(0);
  }
}
