package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Reads the payload of a {@code FrameType.GC} frame. Stateless, any thread. */
public final class GcDecoder {
  private GcDecoder() {}

  /**
   * @param payload keeps its position
   * @param consumer may have seen collections before the payload turns out to be malformed
   */
  public static void decode(ByteBuffer payload, GcConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    long startNanos = 0;
    while (in.remaining() > 0) {
      String collector = in.string("A garbage collector's name", GcEncoder.MAX_TEXT_BYTES);
      String action = in.string("An action", GcEncoder.MAX_TEXT_BYTES);
      String cause = in.string("A cause", GcEncoder.MAX_TEXT_BYTES);
      startNanos += in.zigzag();
      consumer.collection(
          collector, action, cause, startNanos, in.varint(), in.varint(), in.varint());
    }
  }
}
