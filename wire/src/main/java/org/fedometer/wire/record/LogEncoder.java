package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Builds the payload of a {@code FrameType.LOGS} frame; reusable, one thread at a time. {@link
 * LogRow} says what the values mean.
 */
public final class LogEncoder {
  /** Longer names of loggers and threads are cut. */
  public static final int MAX_NAME_BYTES = 1024;

  /** Longer messages are cut. */
  public static final int MAX_MESSAGE_BYTES = 16 * 1024;

  /** Longer stack traces are cut. */
  public static final int MAX_THROWN_BYTES = 64 * 1024;

  /** A longer context cannot be cut, and is refused. */
  public static final int MAX_CONTEXT_BYTES = 16 * 1024;

  /**
   * Name of the member of a context that says what the line's sender did not tell, or not so that
   * it could be read: {@code level} (then it is INFO), {@code time} (then it is the time of its
   * coming), or {@code level,time}.
   */
  public static final String ASSUMED = "fedometer.assumed";

  private static final int MAX_LOG_BYTES =
      10
          + 1
          + 10
          + 2 * (2 + MAX_NAME_BYTES)
          + 3
          + MAX_MESSAGE_BYTES
          + 3
          + MAX_THROWN_BYTES
          + 3
          + MAX_CONTEXT_BYTES;

  private static final int MAX_COUNT_BYTES = 5;

  private final PayloadWriter body = new PayloadWriter(4096, Frame.MAX_PAYLOAD_BYTES);
  private int count;
  private long atNanos;

  /**
   * Adds a line without a context.
   *
   * @throws IllegalStateException when the frame is full, see {@link #isFull()}
   */
  public void add(
      long atNanos,
      LogLevel level,
      long traceId,
      String logger,
      String thread,
      String message,
      String thrown) {
    add(atNanos, level, traceId, logger, thread, message, thrown, "");
  }

  /**
   * Adds a line, or nothing of it where that throws; names, message and stack trace are cut at
   * their limits.
   *
   * @throws IllegalArgumentException for a context that is too long
   * @throws IllegalStateException when the frame is full, see {@link #isFull()}
   */
  public void add(
      long atNanos,
      LogLevel level,
      long traceId,
      String logger,
      String thread,
      String message,
      String thrown,
      String context) {
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    int before = body.size();
    boolean added = false;
    try {
      body.zigzag(atNanos - this.atNanos);
      body.fixed8(level.code());
      body.zigzag(traceId);
      body.truncatedString(logger, MAX_NAME_BYTES);
      body.truncatedString(thread, MAX_NAME_BYTES);
      body.truncatedString(message, MAX_MESSAGE_BYTES);
      body.truncatedString(thrown, MAX_THROWN_BYTES);
      body.string("A context", context, MAX_CONTEXT_BYTES);
      added = true;
    } finally {
      if (!added) {
        // Half a line, as where memory runs out, would make the frame unreadable.
        body.truncateTo(before);
      }
    }
    this.atNanos = atNanos;
    count++;
  }

  public int sizeBytes() {
    return MAX_COUNT_BYTES + body.size();
  }

  /** Whether there is no room for one more line. */
  public boolean isFull() {
    return sizeBytes() > Frame.MAX_PAYLOAD_BYTES - MAX_LOG_BYTES;
  }

  public int count() {
    return count;
  }

  /** The payload with all lines added since the last call; the encoder is empty afterwards. */
  public byte[] finish() {
    byte[] payload = PayloadWriter.counted(count, body);
    body.reset();
    count = 0;
    atNanos = 0;
    return payload;
  }
}
