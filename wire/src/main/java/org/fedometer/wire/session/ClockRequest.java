package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Asks for the collector's time: the payload of {@code FrameType.CLOCK_REQUEST}, which the
 * collector answers with a {@link ClockReply} as soon as it can. Immutable.
 */
public final class ClockRequest {
  private final long sentNanos;

  /** {@code sentNanos} is the source's {@code System.nanoTime()} when it sends this. */
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

  /** Later versions may append fields; they are ignored. */
  public static ClockRequest decode(ByteBuffer payload) throws MalformedFrameException {
    return new ClockRequest(new PayloadReader(payload).fixed64());
  }
}
