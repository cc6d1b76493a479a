package org.fedometer.wire;

/**
 * Builds the payload of a {@link FrameType#REQUESTS} frame; reusable, one thread at a time. {@link
 * RequestConsumer#request} says what the values mean.
 */
public final class RequestEncoder {
  /** Longer PIDs and traceparents are cut. */
  public static final int MAX_TEXT_BYTES = 512;

  /** Longer messages are cut. */
  public static final int MAX_MESSAGE_BYTES = 4096;

  private static final int MAX_REQUEST_BYTES =
      8 * 10 + 2 * (2 + MAX_TEXT_BYTES) + 2 + MAX_MESSAGE_BYTES;

  private final PayloadWriter body = new PayloadWriter(4096, Frame.MAX_PAYLOAD_BYTES);
  private int count;
  private long objectIndex;
  private long startNanos;

  /**
   * @throws IllegalStateException when the frame is full, see {@link #isFull()}
   */
  public void add(
      long objectIndex,
      String pid,
      String traceparent,
      int worker,
      int attempt,
      long startNanos,
      long durationNanos,
      int status,
      long contentBytes,
      String message) {
    if (worker < 0 || attempt < 0 || status < 0) {
      throw new IllegalArgumentException(
          "Worker, attempt and status are not negative: "
              + worker
              + ", "
              + attempt
              + ", "
              + status);
    }
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    body.zigzag(objectIndex - this.objectIndex);
    this.objectIndex = objectIndex;
    body.cutString(pid, MAX_TEXT_BYTES);
    body.cutString(traceparent, MAX_TEXT_BYTES);
    body.varint(worker);
    body.varint(attempt);
    body.zigzag(startNanos - this.startNanos);
    this.startNanos = startNanos;
    body.varint(durationNanos);
    body.varint(status);
    body.varint(contentBytes);
    body.cutString(message, MAX_MESSAGE_BYTES);
    count++;
  }

  /** Size of the payload so far. */
  public int sizeBytes() {
    return body.size();
  }

  /** Whether there is no room for one more request. */
  public boolean isFull() {
    return body.size() > Frame.MAX_PAYLOAD_BYTES - MAX_REQUEST_BYTES;
  }

  public int count() {
    return count;
  }

  /** The payload with all requests added since the last call; the encoder is empty afterwards. */
  public byte[] finish() {
    byte[] payload = body.toByteArray();
    body.reset();
    count = 0;
    objectIndex = 0;
    startNanos = 0;
    return payload;
  }
}
