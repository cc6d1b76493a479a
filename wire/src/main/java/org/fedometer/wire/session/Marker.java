package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A named moment of the run, such as the end of its warm-up: the payload of {@code
 * FrameType.MARKER}. Immutable.
 */
public final class Marker {
  private static final int MAX_NAME_BYTES = 1024;

  private final String name;
  private final long atNanos;

  /**
   * @param name at most 1,024 bytes
   * @param atNanos {@code System.nanoTime()} of the source
   */
  public Marker(String name, long atNanos) {
    this.name = name;
    this.atNanos = atNanos;
  }

  public String name() {
    return name;
  }

  public long atNanos() {
    return atNanos;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(64, Frame.MAX_PAYLOAD_BYTES);
    out.string("A marker's name", name, MAX_NAME_BYTES);
    out.zigzag(atNanos);
    return out.toByteArray();
  }

  /**
   * @throws MalformedFrameException also for trailing bytes, and for a name that {@code encode}
   *     would reject
   */
  public static Marker decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    Marker marker = new Marker(in.string("A marker's name", MAX_NAME_BYTES), in.zigzag());
    in.expectEnd();
    return marker;
  }
}
