package org.fedometer.wire.record;

/**
 * A request of a frame. {@link RequestDecoder} reuses the instance, to allocate none per request: a
 * consumer reads it at once, on the decoding thread, and neither keeps nor changes it.
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

  /** {@code System.nanoTime()} at the request's start. */
  public long startNanos;

  /** From start until the response was read. */
  public long durationNanos;

  /** HTTP status, 0 if there was no response. */
  public int status;

  public long contentBytes;

  /** Error message, Fedora's own if there was one; usually empty. */
  public String message;

  /**
   * Operation of the request, such as {@link RequestEncoder#INGEST}; may be unknown to this
   * version.
   */
  public String operation;

  /**
   * {@code System.nanoTime()} of the intended start; equals {@code startNanos} in a closed model.
   */
  public long intendedStartNanos;

  RequestRow() {}
}
