package org.fedometer.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PrimitiveIterator;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.JournalState;

/**
 * Hands out the indices of an ingest, each once: first those that an earlier driver has left open,
 * then the others in order. Used by all workers.
 */
final class Numbers {

  private final Deque<Long> leftOpen = new ArrayDeque<>();
  private final long endIndex;
  private final Shard shard;
  private long next;

  /**
   * @param before what an earlier driver has done
   * @param endIndex after the last index
   * @param shard whose indices these are
   */
  Numbers(JournalState before, long endIndex, Shard shard) {
    this.endIndex = endIndex;
    this.shard = shard;
    this.next = shard.nextFrom(before.nextIndex());
    IndexRanges open = before.inDoubt().copy();
    open.addAll(before.failed());
    PrimitiveIterator.OfLong indices = open.iterator();
    while (indices.hasNext()) {
      leftOpen.addLast(indices.nextLong());
    }
  }

  /** The next index, or -1 if there is none left. */
  synchronized long take() {
    Long open = leftOpen.pollFirst();
    if (open != null) {
      return open;
    }
    if (next >= endIndex) {
      return -1;
    }
    long index = next;
    next = shard.nextFrom(index + 1);
    return index;
  }

  /** How many are left to be handed out. */
  synchronized long left() {
    return leftOpen.size() + shard.countOf(next, endIndex);
  }

  /** Takes back an index that was handed out as the latest of those not handed out since. */
  synchronized void handBack(long index) {
    if (shard.nextFrom(index + 1) == next) {
      next = index;
    }
  }

  /** Above every index that was handed out; the ingest's end if all were. */
  synchronized long endOfTaken() {
    return Math.min(next, endIndex);
  }
}
