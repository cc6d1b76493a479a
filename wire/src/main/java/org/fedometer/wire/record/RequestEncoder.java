package org.fedometer.wire.record;

import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Encodes the payload of a {@code FrameType.REQUESTS} frame; reusable, one thread at a time. {@link
 * RequestRow} defines the values.
 */
public final class RequestEncoder {
  /** The operation that adds a new object. */
  public static final String INGEST = "ingest";

  /** Returns whether a request succeeded by its HTTP status; 0 means no response. */
  public static boolean succeeded(int status) {
    return status >= 200 && status <= 299;
  }

  /** Longer PIDs and traceparents are truncated. */
  public static final int MAX_TEXT_BYTES = 512;

  /** Longer messages are truncated. */
  public static final int MAX_MESSAGE_BYTES = 4096;

  /** Longer operations are truncated. */
  public static final int MAX_OPERATION_BYTES = 64;

  /** Lowest bit of a head: set if the request did not start at its intended start. */
  static final int NOT_AT_INTENDED_START = 1;

  private static final int MAX_REQUEST_BYTES =
      8 * 10 + 2 * (2 + MAX_TEXT_BYTES) + 2 + MAX_MESSAGE_BYTES;

  private static final int MAX_HEAD_BYTES = 5 + 2 + MAX_OPERATION_BYTES + 10;

  private final PayloadWriter body = new PayloadWriter(4096, Frame.MAX_PAYLOAD_BYTES);
  private final Map<String, Integer> operations = new HashMap<>();
  private int count;
  private long objectIndex;
  private long startNanos;

  /**
   * Adds a request, or nothing if it throws; truncates texts to their limits.
   *
   * @throws IllegalArgumentException if worker, attempt or status is negative, or the operation is
   *     empty
   * @throws IllegalStateException if {@link #isFull()}
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
      String message,
      String operation,
      long intendedStartNanos) {
    if (worker < 0 || attempt < 0 || status < 0) {
      throw new IllegalArgumentException(
          "Worker, attempt and status must not be negative: "
              + worker
              + ", "
              + attempt
              + ", "
              + status);
    }
    if (operation.isEmpty()) {
      throw new IllegalArgumentException("An operation needs a name, for example " + INGEST);
    }
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    int before = body.size();
    int operationsBefore = operations.size();
    boolean added = false;
    try {
      head(operation, startNanos - intendedStartNanos);
      body.zigzag(objectIndex - this.objectIndex);
      body.truncatedString(pid, MAX_TEXT_BYTES);
      body.truncatedString(traceparent, MAX_TEXT_BYTES);
      body.varint(worker);
      body.varint(attempt);
      body.zigzag(startNanos - this.startNanos);
      body.varint(durationNanos);
      body.varint(status);
      body.varint(contentBytes);
      body.truncatedString(message, MAX_MESSAGE_BYTES);
      added = true;
    } finally {
      if (!added) {
        // Half a request, written when memory runs out, would make the frame unreadable.
        body.truncateTo(before);
        operations.values().removeIf(number -> number >= operationsBefore);
      }
    }
    this.objectIndex = objectIndex;
    this.startNanos = startNanos;
    count++;
  }

  private void head(String operation, long delayNanos) {
    Integer known = operations.putIfAbsent(operation, operations.size());
    int number = known == null ? operations.size() - 1 : known;
    body.varint((long) number << 1 | (delayNanos == 0 ? 0 : NOT_AT_INTENDED_START));
    if (known == null) {
      body.truncatedString(operation, MAX_OPERATION_BYTES);
    }
    if (delayNanos != 0) {
      body.zigzag(delayNanos);
    }
  }

  public int sizeBytes() {
    return body.size();
  }

  /** Returns whether the frame lacks space for one more request. */
  public boolean isFull() {
    return body.size() > Frame.MAX_PAYLOAD_BYTES - MAX_HEAD_BYTES - MAX_REQUEST_BYTES;
  }

  public int count() {
    return count;
  }

  /** Returns the payload of all requests since the last call and empties the encoder. */
  public byte[] finish() {
    byte[] payload = body.toByteArray();
    body.reset();
    operations.clear();
    count = 0;
    objectIndex = 0;
    startNanos = 0;
    return payload;
  }
}
