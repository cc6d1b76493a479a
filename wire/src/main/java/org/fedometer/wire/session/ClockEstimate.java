package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * How a source's clock relates to the collector's: the payload of {@code FrameType.CLOCK}. It holds
 * for times close to the one at which it was made; clocks drift apart. Immutable.
 */
public final class ClockEstimate {
  private static final int MAX_BOOT_ID_BYTES = 1024;

  private final long atNanos;
  private final long offsetNanos;
  private final long uncertaintyNanos;
  private final String bootId;

  /**
   * @param atNanos when it was made, {@code System.nanoTime()} of the source
   * @param offsetNanos what to add to the source's {@code System.nanoTime()} to get the collector's
   * @param uncertaintyNanos how far the true offset is from this one at most, 0 and up
   * @param bootId identity of the present boot of the collector's host, or empty
   */
  public ClockEstimate(long atNanos, long offsetNanos, long uncertaintyNanos, String bootId) {
    if (uncertaintyNanos < 0) {
      throw new IllegalArgumentException(
          "An uncertainty is 0 ns or more, not " + uncertaintyNanos + " ns");
    }
    this.atNanos = atNanos;
    this.offsetNanos = offsetNanos;
    this.uncertaintyNanos = uncertaintyNanos;
    this.bootId = bootId;
  }

  public long atNanos() {
    return atNanos;
  }

  public long offsetNanos() {
    return offsetNanos;
  }

  public long uncertaintyNanos() {
    return uncertaintyNanos;
  }

  public String bootId() {
    return bootId;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(64, Frame.MAX_PAYLOAD_BYTES);
    out.zigzag(atNanos);
    out.zigzag(offsetNanos);
    out.varint(uncertaintyNanos);
    out.string("The boot's identity", bootId, MAX_BOOT_ID_BYTES);
    return out.toByteArray();
  }

  /**
   * @throws MalformedFrameException also for bytes too many, and for an uncertainty that the
   *     constructor would refuse
   */
  public static ClockEstimate decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    long atNanos = in.zigzag();
    long offsetNanos = in.zigzag();
    long uncertaintyNanos = in.varint();
    if (uncertaintyNanos < 0) {
      throw new MalformedFrameException(
          "An uncertainty is out of range: " + Long.toUnsignedString(uncertaintyNanos));
    }
    String bootId = in.string("The boot's identity", MAX_BOOT_ID_BYTES);
    in.expectEnd();
    return new ClockEstimate(atNanos, offsetNanos, uncertaintyNanos, bootId);
  }

  @Override
  public String toString() {
    return "offset " + offsetNanos + " ns, at most " + uncertaintyNanos + " ns off";
  }
}
