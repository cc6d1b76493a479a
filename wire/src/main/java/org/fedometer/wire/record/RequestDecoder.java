package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.Counted;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Reads the payload of a {@code FrameType.REQUESTS} frame. Stateless, any thread. */
public final class RequestDecoder {
  private RequestDecoder() {}

  /**
   * @param payload with no bytes behind the requests
   * @param consumer may have seen requests before the payload turns out to be malformed
   */
  public static void decode(byte[] payload, RequestConsumer consumer)
      throws MalformedFrameException {
    decode(ByteBuffer.wrap(payload), consumer);
  }

  /**
   * @param payload the rest of the buffer, with no bytes behind the requests; keeps its position
   * @param consumer may have seen requests before the payload turns out to be malformed
   */
  public static void decode(ByteBuffer payload, RequestConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    List<String> operations = new ArrayList<>();
    long objectIndex = 0;
    long startNanos = 0;
    while (in.remaining() > 0) {
      int head = in.varintInt("A request's head");
      String operation = operation(head >> 1, operations, in);
      long lateNanos = (head & RequestEncoder.NOT_WHEN_DUE) == 0 ? 0 : in.zigzag();
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
          message,
          operation,
          startNanos - lateNanos);
    }
  }

  /** Takes the name of one that is new. */
  private static String operation(int number, List<String> known, PayloadReader in)
      throws MalformedFrameException {
    if (number > known.size()) {
      throw new MalformedFrameException(
          "Of " + Counted.of(known.size(), "operation") + " none has the number " + number);
    }
    if (number == known.size()) {
      String name = in.string("An operation", RequestEncoder.MAX_OPERATION_BYTES);
      if (name.isEmpty()) {
        throw new MalformedFrameException("An operation has no name");
      }
      known.add(name);
    }
    return known.get(number);
  }
}
