package org.fedometer.store.seal;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Several hundred thousand samples in columns, sorted by thread and then by start. In that order
 * all columns except the times repeat and need almost no space in a Parquet file. A parent precedes
 * its children. Reused for each chunk, by one thread.
 */
final class SampleChunk {
  /** Size of two row groups; about 14 MB. */
  static final int SAMPLES = 2 * 122_880;

  private static final int INDEX_BITS = 20;
  private static final int MAX_SAMPLES = 1 << INDEX_BITS;
  private static final long MAX_OFFSET = (1L << (62 - INDEX_BITS)) - 1;

  private int count;
  private int rankCount;
  private int[] sources = new int[SAMPLES];
  private int[] stages = new int[SAMPLES];
  private int[] threads = new int[SAMPLES];
  private long[] traces = new long[SAMPLES];
  private long[] startNanos = new long[SAMPLES];
  private long[] durationNanos = new long[SAMPLES];
  private long[] childrenNanos = new long[SAMPLES];
  private boolean[] failed = new boolean[SAMPLES];
  private long[] order = new long[SAMPLES];

  /** Sample indexes in sorted order. */
  private int[] sorted = new int[SAMPLES];

  void clear() {
    count = 0;
    rankCount = 0;
  }

  int count() {
    return count;
  }

  /** Returns whether there is enough for a good order. */
  boolean isFull() {
    return count >= SAMPLES;
  }

  /**
   * @param thread a small number from 0, of the thread and its source together; negative if it has
   *     no name
   */
  void add(
      int source,
      int stage,
      int thread,
      long trace,
      long start,
      long total,
      long children,
      boolean isFailed) {
    if (count == startNanos.length) {
      grow();
    }
    sources[count] = source;
    stages[count] = stage;
    threads[count] = thread;
    traces[count] = trace;
    startNanos[count] = start;
    durationNanos[count] = total;
    childrenNanos[count] = children;
    failed[count] = isFailed;
    count++;
    rankCount = Math.max(rankCount, rankOf(thread) + 1);
  }

  /** Grows, since a frame is never split: a full chunk may have to hold one more. */
  private void grow() {
    if (count >= MAX_SAMPLES) {
      throw new IllegalStateException("A chunk has at most " + MAX_SAMPLES + " samples");
    }
    int larger = Math.min(MAX_SAMPLES, count + count / 2);
    sources = Arrays.copyOf(sources, larger);
    stages = Arrays.copyOf(stages, larger);
    threads = Arrays.copyOf(threads, larger);
    traces = Arrays.copyOf(traces, larger);
    startNanos = Arrays.copyOf(startNanos, larger);
    durationNanos = Arrays.copyOf(durationNanos, larger);
    childrenNanos = Arrays.copyOf(childrenNanos, larger);
    failed = Arrays.copyOf(failed, larger);
    order = Arrays.copyOf(order, larger);
    sorted = new int[larger];
  }

  /**
   * Sorts each thread separately: the clocks of two hosts are unrelated, so their readings may be
   * years apart.
   */
  void sort() {
    int[] begins = new int[rankCount + 1];
    long[] earliestNanos = new long[rankCount];
    long[] latestNanos = new long[rankCount];
    Arrays.fill(earliestNanos, Long.MAX_VALUE);
    Arrays.fill(latestNanos, Long.MIN_VALUE);
    for (int i = 0; i < count; i++) {
      int rank = rankOf(threads[i]);
      begins[rank + 1]++;
      earliestNanos[rank] = Math.min(earliestNanos[rank], startNanos[i]);
      latestNanos[rank] = Math.max(latestNanos[rank], startNanos[i]);
    }
    for (int rank = 0; rank < rankCount; rank++) {
      begins[rank + 1] += begins[rank];
    }
    int[] next = Arrays.copyOf(begins, rankCount);
    for (int i = 0; i < count; i++) {
      int rank = rankOf(threads[i]);
      order[next[rank]++] =
          fitsIntoKey(latestNanos[rank] - earliestNanos[rank])
              ? keyOf(i, startNanos[i] - earliestNanos[rank])
              : keyOf(i, 0);
    }
    for (int rank = 0; rank < rankCount; rank++) {
      if (fitsIntoKey(latestNanos[rank] - earliestNanos[rank])) {
        Arrays.sort(order, begins[rank], begins[rank + 1]);
      } else {
        sortByStart(begins[rank], begins[rank + 1]);
      }
    }
    for (int row = 0; row < count; row++) {
      sorted[row] = indexOf(order[row]);
    }
  }

  /** Threads without a name come first, all together. */
  private static int rankOf(int thread) {
    return Math.max(0, thread + 1);
  }

  /** An hour and more; negative if the difference overflows a long. */
  private static boolean fitsIntoKey(long offsetNanos) {
    return offsetNanos >= 0 && offsetNanos <= MAX_OFFSET;
  }

  /** With the same start, the later sample is the parent: it ended later. */
  private static long keyOf(int i, long offsetNanos) {
    return offsetNanos << INDEX_BITS | (MAX_SAMPLES - 1 - i);
  }

  private static int indexOf(long key) {
    return MAX_SAMPLES - 1 - ((int) key & (MAX_SAMPLES - 1));
  }

  /** For a thread whose times are too far apart for a key; rare, and slow. */
  private void sortByStart(int begin, int end) {
    long[] keys =
        Arrays.stream(order, begin, end)
            .boxed()
            .sorted(
                Comparator.<Long>comparingLong(key -> startNanos[indexOf(key)])
                    .thenComparing(Comparator.naturalOrder()))
            .mapToLong(Long::longValue)
            .toArray();
    System.arraycopy(keys, 0, order, begin, keys.length);
  }

  // ---- sorted rows ----

  void copySources(int from, int rows, int[] target) {
    copy(sources, from, rows, target);
  }

  void copyStages(int from, int rows, int[] target) {
    copy(stages, from, rows, target);
  }

  void copyThreads(int from, int rows, int[] target) {
    copy(threads, from, rows, target);
  }

  void copyTraces(int from, int rows, long[] target) {
    copy(traces, from, rows, target);
  }

  void copyStarts(int from, int rows, long[] target) {
    copy(startNanos, from, rows, target);
  }

  void copyDurations(int from, int rows, long[] target) {
    copy(durationNanos, from, rows, target);
  }

  void copyChildren(int from, int rows, long[] target) {
    copy(childrenNanos, from, rows, target);
  }

  void copyFailed(int from, int rows, boolean[] target) {
    for (int row = 0; row < rows; row++) {
      target[row] = failed[sorted[from + row]];
    }
  }

  private void copy(int[] column, int from, int rows, int[] target) {
    for (int row = 0; row < rows; row++) {
      target[row] = column[sorted[from + row]];
    }
  }

  private void copy(long[] column, int from, int rows, long[] target) {
    for (int row = 0; row < rows; row++) {
      target[row] = column[sorted[from + row]];
    }
  }
}
