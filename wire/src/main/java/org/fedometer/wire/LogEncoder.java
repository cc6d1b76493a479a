package org.fedometer.wire;

/**
 * Builds the payload of a {@link FrameType#LOGS} frame; reusable, one thread at a time. {@link
 * LogConsumer#log} says what the values mean.
 */
public final class LogEncoder {
  /** Longer names of loggers and threads are cut. */
  public static final int MAX_NAME_BYTES = 1024;

  /** Longer messages are cut. */
  public static final int MAX_MESSAGE_BYTES = 16 * 1024;

  /** Longer stack traces are cut. */
  public static final int MAX_THROWN_BYTES = 64 * 1024;

  private static final int MAX_LOG_BYTES =
      10 + 1 + 10 + 2 * (2 + MAX_NAME_BYTES) + 3 + MAX_MESSAGE_BYTES + 3 + MAX_THROWN_BYTES;

  private final PayloadWriter body = new PayloadWriter(4096, Frame.MAX_PAYLOAD_BYTES);
  private int count;
  private long atNanos;

  /**
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
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    body.zigzag(atNanos - this.atNanos);
    this.atNanos = atNanos;
    body.fixed8(level.code());
    body.zigzag(traceId);
    body.cutString(logger, MAX_NAME_BYTES);
    body.cutString(thread, MAX_NAME_BYTES);
    body.cutString(message, MAX_MESSAGE_BYTES);
    body.cutString(thrown, MAX_THROWN_BYTES);
    count++;
  }

  /** Size of the payload so far. */
  public int sizeBytes() {
    return body.size();
  }

  /** Whether there is no room for one more line. */
  public boolean isFull() {
    return body.size() > Frame.MAX_PAYLOAD_BYTES - MAX_LOG_BYTES;
  }

  public int count() {
    return count;
  }

  /** The payload with all lines added since the last call; the encoder is empty afterwards. */
  public byte[] finish() {
    byte[] payload = body.toByteArray();
    body.reset();
    count = 0;
    atNanos = 0;
    return payload;
  }
}
