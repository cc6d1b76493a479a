package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Offset between a source's clock and the collector's: the payload of {@code FrameType.CLOCK}.
 * Valid for times close to its creation; clocks drift apart. Immutable.
 */
public final class ClockEstimate {
  private static final int MAX_BOOT_ID_BYTES = 1024;

  private final long atNanos;
  private final long offsetNanos;
  private final long uncertaintyNanos;
  private final String bootId;

  /**
   * @param atNanos creation time, {@code System.nanoTime()} of the source
   * @param offsetNanos offset to add to the source's {@code System.nanoTime()} to get the
   *     collector's
   * @param uncertaintyNanos maximum distance to the true offset, 0 and up
   * @param bootId identity of the current boot of the collector's host, or empty
   */
  public ClockEstimate(long atNanos, long offsetNanos, long uncertaintyNanos, String bootId) {
    if (uncertaintyNanos < 0) {
      throw new IllegalArgumentException(
          "An uncertainty must be 0 ns or more, not " + uncertaintyNanos + " ns");
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
   * @throws MalformedFrameException also for trailing bytes, and for an uncertainty that the
   *     constructor would reject
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
    return "offset " + offsetNanos + " ns, with an error of at most " + uncertaintyNanos + " ns";
  }
}
