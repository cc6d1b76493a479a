package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Encodes the payload of a {@code FrameType.GC} frame; reusable, one thread at a time. {@link
 * GcRow} defines the values.
 */
public final class GcEncoder {
  /** Longer texts are truncated. */
  public static final int MAX_TEXT_BYTES = 255;

  private static final int MAX_COLLECTION_BYTES = 3 * (2 + MAX_TEXT_BYTES) + 4 * 10;

  private final PayloadWriter body = new PayloadWriter(1024, Frame.MAX_PAYLOAD_BYTES);
  private int count;
  private long startNanos;

  /**
   * Adds a collection, or nothing if it throws; truncates texts to {@link #MAX_TEXT_BYTES}.
   *
   * @throws IllegalStateException if {@link #isFull()}
   */
  public void add(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    int bodyBefore = body.size();
    boolean added = false;
    try {
      body.truncatedString(collector, MAX_TEXT_BYTES);
      body.truncatedString(action, MAX_TEXT_BYTES);
      body.truncatedString(cause, MAX_TEXT_BYTES);
      body.zigzag(startNanos - this.startNanos);
      body.varint(durationNanos);
      body.varint(heapBeforeBytes);
      body.varint(heapAfterBytes);
      added = true;
    } finally {
      if (!added) {
        // Half a collection, written when memory runs out, would make the frame unreadable.
        body.truncateTo(bodyBefore);
      }
    }
    this.startNanos = startNanos;
    count++;
  }

  public int sizeBytes() {
    return body.size();
  }

  /** Returns whether the frame lacks space for one more collection. */
  public boolean isFull() {
    return body.size() > Frame.MAX_PAYLOAD_BYTES - MAX_COLLECTION_BYTES;
  }

  public int count() {
    return count;
  }

  /** Returns the payload of all collections since the last call and empties the encoder. */
  public byte[] finish() {
    byte[] payload = body.toByteArray();
    body.reset();
    count = 0;
    startNanos = 0;
    return payload;
  }
}
