package org.fedometer.store.seal;

import java.util.Arrays;
import java.util.Comparator;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBWritableVector;

/**
 * Some hundred thousand samples in columns, to be sorted by thread and then by start: in that order
 * all columns but the times repeat themselves, so that they take next to no room in a Parquet file.
 * A parent comes before its children. Reused chunk after chunk, by one thread.
 */
final class SampleChunk {
  /** Two of DuckDB's row groups; about 10 MB. */
  static final int SAMPLES = 2 * 122_880;

  private static final int INDEX_BITS = 20;
  private static final int MOST_SAMPLES = 1 << INDEX_BITS;
  private static final long LARGEST_OFFSET = (1L << (62 - INDEX_BITS)) - 1;

  private int count;
  private int shown;
  private int rankCount;
  private int[] sources = new int[SAMPLES];
  private int[] stages = new int[SAMPLES];
  private int[] threads = new int[SAMPLES];
  private long[] traces = new long[SAMPLES];
  private long[] startNanos = new long[SAMPLES];
  private long[] totalNanos = new long[SAMPLES];
  private long[] childrenNanos = new long[SAMPLES];
  private boolean[] failed = new boolean[SAMPLES];
  private long[] order = new long[SAMPLES];

  void clear() {
    count = 0;
    shown = 0;
    rankCount = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether there is enough for a good order. */
  boolean isFull() {
    return count >= SAMPLES;
  }

  /** Whether {@link #writeNext} has something to write. */
  boolean hasNext() {
    return shown < count;
  }

  /**
   * @param thread a small number from 0, of the thread and its source together; below 0 if it has
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
    totalNanos[count] = total;
    childrenNanos[count] = children;
    failed[count] = isFailed;
    count++;
    rankCount = Math.max(rankCount, rankOf(thread) + 1);
  }

  /** A frame is never cut in two, so a full chunk may have to hold one more. */
  private void grow() {
    if (count >= MOST_SAMPLES) {
      throw new IllegalStateException("A chunk has at most " + MOST_SAMPLES + " samples");
    }
    int larger = Math.min(MOST_SAMPLES, count + count / 2);
    sources = Arrays.copyOf(sources, larger);
    stages = Arrays.copyOf(stages, larger);
    threads = Arrays.copyOf(threads, larger);
    traces = Arrays.copyOf(traces, larger);
    startNanos = Arrays.copyOf(startNanos, larger);
    totalNanos = Arrays.copyOf(totalNanos, larger);
    childrenNanos = Arrays.copyOf(childrenNanos, larger);
    failed = Arrays.copyOf(failed, larger);
    order = Arrays.copyOf(order, larger);
  }

  /**
   * Each thread by itself: the clocks of two hosts have nothing to do with each other, so that
   * their readings may lie years apart.
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
  }

  /** Threads without a name come first, all together. */
  private static int rankOf(int thread) {
    return Math.max(0, thread + 1);
  }

  /** An hour and more; below 0 where the difference is too large for a long. */
  private static boolean fitsIntoKey(long offsetNanos) {
    return offsetNanos >= 0 && offsetNanos <= LARGEST_OFFSET;
  }

  /** Of two that start at once the later one is the parent: it ended later. */
  private static long keyOf(int i, long offsetNanos) {
    return offsetNanos << INDEX_BITS | (MOST_SAMPLES - 1 - i);
  }

  private static int indexOf(long key) {
    return MOST_SAMPLES - 1 - ((int) key & (MOST_SAMPLES - 1));
  }

  /** For a thread whose times lie too far apart for a key; seldom, and slow. */
  private void sortByStart(int begin, int end) {
    long[] sorted =
        Arrays.stream(order, begin, end)
            .boxed()
            .sorted(
                Comparator.<Long>comparingLong(key -> startNanos[indexOf(key)])
                    .thenComparing(Comparator.naturalOrder()))
            .mapToLong(Long::longValue)
            .toArray();
    System.arraycopy(sorted, 0, order, begin, sorted.length);
  }

  /** Writes the next rows in order; returns how many. */
  int writeNext(DuckDBDataChunkWriter target) {
    int rows = (int) Math.min(target.capacity(), count - shown);
    DuckDBWritableVector sourceColumn = target.vector(0);
    DuckDBWritableVector stageColumn = target.vector(1);
    DuckDBWritableVector threadColumn = target.vector(2);
    DuckDBWritableVector traceColumn = target.vector(3);
    DuckDBWritableVector startColumn = target.vector(4);
    DuckDBWritableVector totalColumn = target.vector(5);
    DuckDBWritableVector childrenColumn = target.vector(6);
    DuckDBWritableVector failedColumn = target.vector(7);
    for (int row = 0; row < rows; row++) {
      int i = indexOf(order[shown + row]);
      sourceColumn.setInt(row, sources[i]);
      stageColumn.setInt(row, stages[i]);
      threadColumn.setInt(row, threads[i]);
      traceColumn.setLong(row, traces[i]);
      startColumn.setLong(row, startNanos[i]);
      totalColumn.setLong(row, totalNanos[i]);
      childrenColumn.setLong(row, childrenNanos[i]);
      failedColumn.setBoolean(row, failed[i]);
    }
    shown += rows;
    return rows;
  }
}
