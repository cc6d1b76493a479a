package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Decodes the payload of a {@code FrameType.TRACES} frame. Stateless, any thread. */
public final class TraceDecoder {
  private TraceDecoder() {}

  /** Decodes all traces; the consumer may have received some before a malformed one is found. */
  public static void decode(ByteBuffer payload, TraceConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    long traceId = 0;
    while (in.remaining() > 0) {
      traceId += in.zigzag();
      int rootStageId = in.varintInt("A stage's number");
      boolean failed = in.flag();
      String pid = in.string("A PID", TraceEncoder.MAX_TEXT_BYTES);
      String traceparent = in.string("A traceparent", TraceEncoder.MAX_TEXT_BYTES);
      String operation = in.string("An operation", TraceEncoder.MAX_TEXT_BYTES);
      consumer.trace(traceId, rootStageId, pid, traceparent, operation, failed);
    }
  }
}
