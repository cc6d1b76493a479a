package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * The collector's time: the payload of {@code FrameType.CLOCK_REPLY}. All times are readings of
 * {@code System.nanoTime()}, whose origin differs between hosts. Immutable.
 */
public final class ClockReply {
  private static final int MAX_BOOT_ID_BYTES = 1024;

  private final long sentNanos;
  private final long receivedNanos;
  private final long repliedNanos;
  private final String bootId;

  /**
   * @param sentNanos repeated from the request, on the source's clock
   * @param receivedNanos arrival of the request, on the collector's clock
   * @param repliedNanos sending time of the reply, on the collector's clock
   * @param bootId identity of the current boot of the collector's host, or empty: a source with the
   *     same one has the same clock
   */
  public ClockReply(long sentNanos, long receivedNanos, long repliedNanos, String bootId) {
    this.sentNanos = sentNanos;
    this.receivedNanos = receivedNanos;
    this.repliedNanos = repliedNanos;
    this.bootId = bootId;
  }

  public long sentNanos() {
    return sentNanos;
  }

  public long receivedNanos() {
    return receivedNanos;
  }

  public long repliedNanos() {
    return repliedNanos;
  }

  public String bootId() {
    return bootId;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(64, Frame.MAX_PAYLOAD_BYTES);
    out.fixed64(sentNanos);
    out.fixed64(receivedNanos);
    out.fixed64(repliedNanos);
    out.string("The boot's identity", bootId, MAX_BOOT_ID_BYTES);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static ClockReply decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new ClockReply(
        in.fixed64(),
        in.fixed64(),
        in.fixed64(),
        in.string("The boot's identity", MAX_BOOT_ID_BYTES));
  }
}
