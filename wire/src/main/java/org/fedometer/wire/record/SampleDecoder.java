package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Decodes the payload of a {@code FrameType.SAMPLES} frame. Stateless, any thread. */
public final class SampleDecoder {
  private SampleDecoder() {}

  /** Returns the number of samples that the payload declares; reads only its beginning. */
  public static int count(ByteBuffer payload) throws MalformedFrameException {
    return new PayloadReader(payload).count("samples", 3);
  }

  /** Decodes an array as {@link #decode(ByteBuffer, SampleConsumer)} does. */
  public static void decode(byte[] payload, SampleConsumer consumer)
      throws MalformedFrameException {
    decode(ByteBuffer.wrap(payload), consumer);
  }

  /** Decodes all samples; the consumer may have received some before a malformed one is found. */
  public static void decode(ByteBuffer payload, SampleConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    int count = in.count("samples", 3);
    SelfTimePrediction prediction = new SelfTimePrediction();
    int threadId = 0;
    long traceId = 0;
    long startNanos = 0;
    long endNanos = 0;
    for (int i = 0; i < count; i++) {
      int head = in.varintInt("A sample's head");
      int flags = (head & 1) == 0 ? 0 : in.fixed8();
      if (flags > SampleEncoder.ALL_FLAGS) {
        throw new MalformedFrameException("A sample has unknown flags: " + flags);
      }
      if ((flags & SampleEncoder.OTHER_CONTEXT) != 0) {
        threadId = in.varintInt("A thread's number");
        traceId += in.zigzag();
        prediction.reset();
      }
      if ((flags & SampleEncoder.OTHER_ORDER) != 0) {
        endNanos += in.zigzag();
        startNanos = endNanos - in.varint();
      } else {
        long time = in.varint();
        if ((time & SampleEncoder.AROUND) == 0) {
          startNanos = endNanos + (time >>> 1);
          endNanos = startNanos + in.varint();
        } else {
          endNanos += time >>> 1;
          startNanos -= in.varint();
        }
      }
      long durationNanos = endNanos - startNanos;
      long selfNanos = prediction.next(startNanos, durationNanos);
      if ((flags & SampleEncoder.OTHER_SELF_TIME) != 0) {
        selfNanos += in.zigzag();
      }
      boolean failed = (flags & SampleEncoder.FAILED) != 0;
      consumer.sample(head >> 1, threadId, traceId, startNanos, durationNanos, selfNanos, failed);
    }
    in.expectEnd();
  }
}
