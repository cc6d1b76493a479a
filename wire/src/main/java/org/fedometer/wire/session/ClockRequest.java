package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Requests the collector's time: the payload of {@code FrameType.CLOCK_REQUEST}. The collector
 * sends a {@link ClockReply} as soon as it can. Immutable.
 */
public final class ClockRequest {
  private final long sentNanos;

  /**
   * @param sentNanos the source's {@code System.nanoTime()} at sending
   */
  public ClockRequest(long sentNanos) {
    this.sentNanos = sentNanos;
  }

  public long sentNanos() {
    return sentNanos;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(8, 8);
    out.fixed64(sentNanos);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static ClockRequest decode(ByteBuffer payload) throws MalformedFrameException {
    return new ClockRequest(new PayloadReader(payload).fixed64());
  }
}
