package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * What is durable by now. Sent after each group of frames, and again and again as a sign of life
 * while frames wait. Immutable.
 */
public final class Acknowledgement {
  private static final int MAX_NOTICE_BYTES = 1024;

  private final long lastDurableSequence;
  private final String notice;

  /**
   * @param lastDurableSequence every frame of the source up to this one is on the collector's disk
   * @param notice what keeps the collector from storing more, from sealing ("no space left"), or
   *     from making a file of a document; usually empty; cut at 1 KiB
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

  /** Later versions may append fields; they are ignored. */
  public static Acknowledgement decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new Acknowledgement(in.varint(), in.string("The notice", MAX_NOTICE_BYTES));
  }
}
