package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Encodes the payload of a {@code FrameType.LOGS} frame; reusable, one thread at a time. {@link
 * LogRow} defines the values.
 */
public final class LogEncoder {
  /** Longer names of loggers and threads are truncated. */
  public static final int MAX_NAME_BYTES = 1024;

  /** Longer messages are truncated. */
  public static final int MAX_MESSAGE_BYTES = 16 * 1024;

  /** Longer stack traces are truncated. */
  public static final int MAX_THROWN_BYTES = 64 * 1024;

  /** A longer context cannot be truncated and is rejected. */
  public static final int MAX_CONTEXT_BYTES = 16 * 1024;

  /**
   * Member of a context that names the fields which the sender omitted or which were unreadable:
   * {@code level} (INFO is assumed), {@code time} (the time of receipt is assumed), or {@code
   * level,time}.
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
   * @throws IllegalStateException if {@link #isFull()}
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
   * Adds a line, or nothing if it throws; truncates names, message and stack trace to their limits.
   *
   * @throws IllegalArgumentException if the context is too long
   * @throws IllegalStateException if {@link #isFull()}
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
        // Half a line, written when memory runs out, would make the frame unreadable.
        body.truncateTo(before);
      }
    }
    this.atNanos = atNanos;
    count++;
  }

  public int sizeBytes() {
    return MAX_COUNT_BYTES + body.size();
  }

  /** Returns whether the frame lacks space for one more line. */
  public boolean isFull() {
    return sizeBytes() > Frame.MAX_PAYLOAD_BYTES - MAX_LOG_BYTES;
  }

  public int count() {
    return count;
  }

  /** Returns the payload of all lines since the last call and empties the encoder. */
  public byte[] finish() {
    byte[] payload = PayloadWriter.counted(count, body);
    body.reset();
    count = 0;
    atNanos = 0;
    return payload;
  }
}
