package org.fedometer.aspects.recorder;

/**
 * A flush of triples to the triplestore that has ended, or a batch of it that failed. Immutable.
 */
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
   * @param atNanos when it ended, reading of {@code System.nanoTime()}
   * @param updates that were in the buffer when it began
   */
  public static TripleFlush succeeded(long atNanos, long updates, long durationNanos) {
    return new TripleFlush(atNanos, 0, "", updates, durationNanos, null);
  }

  /**
   * @param traceId that the thread was in; the others as in {@link #succeeded}
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

  /** 0 of one that failed. */
  public long durationNanos() {
    return durationNanos;
  }

  /** {@code null} of one that ended well. */
  public LogLine.Thrown failureOrNull() {
    return failure;
  }
}
