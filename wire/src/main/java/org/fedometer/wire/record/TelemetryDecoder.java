package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Decodes the payload of a {@code FrameType.TELEMETRY} frame. Stateless, any thread. */
public final class TelemetryDecoder {
  private TelemetryDecoder() {}

  /** Decodes all values; the consumer may have received some before a malformed one is found. */
  public static void decode(ByteBuffer payload, TelemetryConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    long atNanos = 0;
    while (in.remaining() > 0) {
      atNanos += in.zigzag();
      int count = in.count("values", 9);
      for (int i = 0; i < count; i++) {
        int metricId = in.varintInt("A metric's number");
        consumer.value(atNanos, metricId, in.fixedDouble());
      }
    }
  }
}
