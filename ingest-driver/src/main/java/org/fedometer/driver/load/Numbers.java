package org.fedometer.driver.load;

import java.util.Arrays;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.request.Shard;

/**
 * Order in which this driver sends objects: first those that an earlier driver left open, then the
 * others. Immutable.
 */
public final class Numbers {

  private final long[] leftOpen;
  private final long firstOther;
  private final long others;
  private final Shard shard;

  /**
   * @param endIndex index after the last object of the ingest
   */
  public Numbers(JournalState before, long firstIndex, long endIndex, Shard shard) {
    // Includes indices handed out but not begun when another worker began a later one.
    IndexRanges open = new IndexRanges(shard.stride());
    long begunEnd = Math.min(before.nextIndex(), endIndex);
    for (long i = shard.nextFrom(firstIndex); i < begunEnd; i = shard.nextFrom(i + 1)) {
      if (!before.acknowledged().contains(i)) {
        open.add(i);
      }
    }
    this.leftOpen = new long[Math.toIntExact(open.size())];
    PrimitiveIterator.OfLong indices = open.iterator();
    for (int i = 0; i < leftOpen.length; i++) {
      leftOpen[i] = indices.nextLong();
    }
    this.firstOther = shard.nextFrom(before.nextIndex());
    this.others = shard.countOf(firstOther, endIndex);
    this.shard = shard;
  }

  /** Returns the number of objects that an earlier driver left open. */
  public int leftOpen() {
    return leftOpen.length;
  }

  /** Returns those that this driver has not begun either. */
  public LongStream unstartedLeftOpen(long begun) {
    return Arrays.stream(leftOpen).skip(begun);
  }

  public long count() {
    return leftOpen.length + others;
  }

  /**
   * @param position 0 for the first that is sent
   */
  long index(long position) {
    return position < leftOpen.length
        ? leftOpen[(int) position]
        : firstOther + (position - leftOpen.length) * shard.count();
  }

  /** Returns the index after all begun by this driver or earlier ones. */
  public long endIndex(long begun) {
    return begun <= leftOpen.length ? firstOther : index(begun - 1) + 1;
  }
}
