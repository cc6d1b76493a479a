package org.fedometer.wire.record;

/**
 * A request of a frame. {@link RequestDecoder} fills one again and again, so that none is made for
 * each request: a consumer reads it at once, on the decoding thread; it neither keeps nor changes
 * it.
 */
public final class RequestRow {
  /** Number of the object in its dataset. */
  public long objectIndex;

  public String pid;

  /** W3C header sent with the request, empty if none. */
  public String traceparent;

  /** Number of the driver's worker, from 0. */
  public int worker;

  /** 1 for the first. */
  public int attempt;

  /** {@code System.nanoTime()} when the request was begun. */
  public long startNanos;

  /** Until the answer was read. */
  public long durationNanos;

  /** HTTP status, 0 where there was no answer. */
  public int status;

  /** Bytes of the object's content. */
  public long contentBytes;

  /** What went wrong, in Fedora's words if it had any; usually empty. */
  public String message;

  /**
   * What the request set out to do, such as {@link RequestEncoder#INGEST}; one that this version
   * does not know is as good as any.
   */
  public String operation;

  /**
   * {@code System.nanoTime()} when the request was due; {@code startNanos} where a worker sends the
   * next request as soon as it has the last answer.
   */
  public long intendedStartNanos;

  RequestRow() {}
}
