package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Decodes the payload of a {@code FrameType.GC} frame. Stateless, any thread. */
public final class GcDecoder {
  private GcDecoder() {}

  /**
   * Decodes all collections; the consumer may have received some before a malformed one is found.
   */
  public static void decode(ByteBuffer payload, Consumer<GcRow> consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    GcRow row = new GcRow();
    while (in.remaining() > 0) {
      row.collector = in.string("A garbage collector's name", GcEncoder.MAX_TEXT_BYTES);
      row.action = in.string("An action", GcEncoder.MAX_TEXT_BYTES);
      row.cause = in.string("A cause", GcEncoder.MAX_TEXT_BYTES);
      row.startNanos += in.zigzag();
      row.durationNanos = in.varint();
      row.heapBeforeBytes = in.varint();
      row.heapAfterBytes = in.varint();
      consumer.accept(row);
    }
  }
}
