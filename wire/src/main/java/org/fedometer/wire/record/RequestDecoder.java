package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Decodes the payload of a {@code FrameType.REQUESTS} frame. Stateless, any thread. */
public final class RequestDecoder {
  private RequestDecoder() {}

  /** Decodes all requests; the consumer may have received some before a malformed one is found. */
  public static void decode(ByteBuffer payload, Consumer<RequestRow> consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    List<String> operations = new ArrayList<>();
    RequestRow row = new RequestRow();
    while (in.remaining() > 0) {
      int head = in.varintInt("A request's head");
      row.operation = operation(head >> 1, operations, in);
      long delayNanos = (head & RequestEncoder.NOT_AT_INTENDED_START) == 0 ? 0 : in.zigzag();
      row.objectIndex += in.zigzag();
      row.pid = in.string("A PID", RequestEncoder.MAX_TEXT_BYTES);
      row.traceparent = in.string("A traceparent", RequestEncoder.MAX_TEXT_BYTES);
      row.worker = in.varintInt("A worker's number");
      row.attempt = in.varintInt("An attempt's number");
      row.startNanos += in.zigzag();
      row.intendedStartNanos = row.startNanos - delayNanos;
      row.durationNanos = in.varint();
      row.status = in.varintInt("A status");
      row.contentBytes = in.varint();
      row.message = in.string("A message", RequestEncoder.MAX_MESSAGE_BYTES);
      consumer.accept(row);
    }
  }

  /** Returns the name of an operation; reads the name of a new one. */
  private static String operation(int number, List<String> known, PayloadReader in)
      throws MalformedFrameException {
    if (number > known.size()) {
      throw new MalformedFrameException(
          "No operation of " + known.size() + " has the number " + number);
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
