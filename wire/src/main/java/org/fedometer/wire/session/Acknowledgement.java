package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Reports the durable frames. Sent after each group of frames, and repeatedly as a keep-alive while
 * frames wait. Immutable.
 */
public final class Acknowledgement {
  private static final int MAX_NOTICE_BYTES = 1024;

  private final long lastDurableSequence;
  private final String notice;

  /**
   * @param lastDurableSequence every frame of the source up to this one is on the collector's disk
   * @param notice error that prevents the collector from storing more, sealing ("no space left"),
   *     or creating a document's file; usually empty; truncated to 1 KiB
   */
  public Acknowledgement(long lastDurableSequence, String notice) {
    this.lastDurableSequence = lastDurableSequence;
    this.notice = notice;
  }

  public long lastDurableSequence() {
    return lastDurableSequence;
  }

  public String notice() {
    return notice;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(16, Frame.MAX_PAYLOAD_BYTES);
    out.varint(lastDurableSequence);
    out.truncatedString(notice, MAX_NOTICE_BYTES);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static Acknowledgement decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new Acknowledgement(in.varint(), in.string("The notice", MAX_NOTICE_BYTES));
  }
}
