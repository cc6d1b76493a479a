package org.fedometer.wire;

import java.nio.ByteBuffer;

/** Reads the payload of a {@link FrameType#REQUESTS} frame. Stateless, any thread. */
public final class RequestDecoder {
  private RequestDecoder() {}

  public static void decode(byte[] payload, RequestConsumer consumer)
      throws MalformedFrameException {
    decode(ByteBuffer.wrap(payload), consumer);
  }

  /**
   * @param payload keeps its position
   * @param consumer may have seen requests before the payload turns out to be malformed
   */
  public static void decode(ByteBuffer payload, RequestConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    long objectIndex = 0;
    long startNanos = 0;
    while (in.remaining() > 0) {
      objectIndex += in.zigzag();
      String pid = in.string("A PID", RequestEncoder.MAX_TEXT_BYTES);
      String traceparent = in.string("A traceparent", RequestEncoder.MAX_TEXT_BYTES);
      int worker = in.varintInt("A worker's number");
      int attempt = in.varintInt("An attempt's number");
      startNanos += in.zigzag();
      long durationNanos = in.varint();
      int status = in.varintInt("A status");
      long contentBytes = in.varint();
      String message = in.string("A message", RequestEncoder.MAX_MESSAGE_BYTES);
      consumer.request(
          objectIndex,
          pid,
          traceparent,
          worker,
          attempt,
          startNanos,
          durationNanos,
          status,
          contentBytes,
          message);
    }
  }
}
