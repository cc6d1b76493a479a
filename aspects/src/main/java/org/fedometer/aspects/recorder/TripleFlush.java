package org.fedometer.aspects.recorder;

/** A finished flush of triples to the triplestore, or a failed batch of it. Immutable. */
public final class TripleFlush {

  private final long atNanos;
  private final long traceId;
  private final String thread;
  private final long updates;
  private final long durationNanos;
  private final LogLine.Thrown failure;

  private TripleFlush(
      long atNanos,
      long traceId,
      String thread,
      long updates,
      long durationNanos,
      LogLine.Thrown failure) {
    this.atNanos = atNanos;
    this.traceId = traceId;
    this.thread = thread;
    this.updates = updates;
    this.durationNanos = durationNanos;
    this.failure = failure;
  }

  /**
   * @param atNanos end, reading of {@code System.nanoTime()}
   * @param updates number of updates in the buffer at the start
   */
  public static TripleFlush succeeded(long atNanos, long updates, long durationNanos) {
    return new TripleFlush(atNanos, 0, "", updates, durationNanos, null);
  }

  /**
   * @param traceId the thread's trace; the others as in {@link #succeeded}
   */
  public static TripleFlush failed(
      long atNanos, long traceId, String thread, long updates, LogLine.Thrown failure) {
    return new TripleFlush(atNanos, traceId, thread, updates, 0, failure);
  }

  public long atNanos() {
    return atNanos;
  }

  public long traceId() {
    return traceId;
  }

  public String thread() {
    return thread;
  }

  public long updates() {
    return updates;
  }

  /** Returns 0 for a failed flush. */
  public long durationNanos() {
    return durationNanos;
  }

  /** Returns {@code null} for a successful flush. */
  public LogLine.Thrown failureOrNull() {
    return failure;
  }
}
