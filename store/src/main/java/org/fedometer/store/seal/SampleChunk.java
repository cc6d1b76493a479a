package org.fedometer.store.seal;

import java.util.Arrays;
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
  private long minStartNanos;
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
    minStartNanos = Long.MAX_VALUE;
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
    minStartNanos = Math.min(minStartNanos, start);
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

  void sort() {
    int[] begins = new int[rankCount + 1];
    for (int i = 0; i < count; i++) {
      begins[rankOf(threads[i]) + 1]++;
    }
    for (int rank = 0; rank < rankCount; rank++) {
      begins[rank + 1] += begins[rank];
    }
    int[] next = Arrays.copyOf(begins, rankCount);
    for (int i = 0; i < count; i++) {
      order[next[rankOf(threads[i])]++] = keyOf(i);
    }
    for (int rank = 0; rank < rankCount; rank++) {
      Arrays.sort(order, begins[rank], begins[rank + 1]);
    }
  }

  /** Threads without a name come first, all together. */
  private static int rankOf(int thread) {
    return Math.max(0, thread + 1);
  }

  /** Of two that start at once the later one is the parent: it ended later. */
  private long keyOf(int i) {
    long offset = startNanos[i] - minStartNanos;
    long bounded = offset < 0 || offset > LARGEST_OFFSET ? LARGEST_OFFSET : offset;
    return bounded << INDEX_BITS | (MOST_SAMPLES - 1 - i);
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
      int i = MOST_SAMPLES - 1 - ((int) order[shown + row] & (MOST_SAMPLES - 1));
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
