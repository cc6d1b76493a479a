package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Encodes the payload of a {@code FrameType.TRACES} frame; reusable, one thread at a time. {@link
 * TraceConsumer#trace} defines the values.
 */
public final class TraceEncoder {
  /** Longer texts are truncated; Fedora's PIDs have at most 64 characters, a traceparent has 55. */
  public static final int MAX_TEXT_BYTES = 512;

  private static final int MAX_TRACE_BYTES = 10 + 5 + 1 + 3 * (2 + MAX_TEXT_BYTES);

  private final PayloadWriter body = new PayloadWriter(4096, Frame.MAX_PAYLOAD_BYTES);
  private int count;
  private long traceId;

  /**
   * Adds a trace; truncates texts to {@link #MAX_TEXT_BYTES}.
   *
   * @throws IllegalArgumentException if the stage is negative
   * @throws IllegalStateException if {@link #isFull()}
   */
  public void add(
      long traceId,
      int rootStageId,
      String pid,
      String traceparent,
      String operation,
      boolean failed) {
    if (rootStageId < 0) {
      throw new IllegalArgumentException("A stage's number must be 0 or more: " + rootStageId);
    }
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    body.zigzag(traceId - this.traceId);
    this.traceId = traceId;
    body.varint(rootStageId);
    body.flag(failed);
    body.truncatedString(pid, MAX_TEXT_BYTES);
    body.truncatedString(traceparent, MAX_TEXT_BYTES);
    body.truncatedString(operation, MAX_TEXT_BYTES);
    count++;
  }

  public int sizeBytes() {
    return body.size();
  }

  /** Returns whether the frame lacks space for one more trace. */
  public boolean isFull() {
    return body.size() > Frame.MAX_PAYLOAD_BYTES - MAX_TRACE_BYTES;
  }

  public int count() {
    return count;
  }

  /** Returns the payload of all traces since the last call and empties the encoder. */
  public byte[] finish() {
    byte[] payload = body.toByteArray();
    body.reset();
    count = 0;
    traceId = 0;
    return payload;
  }
}
