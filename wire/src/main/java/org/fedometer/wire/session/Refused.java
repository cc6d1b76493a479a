package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/** Why the collector ends a connection. Immutable. */
public final class Refused {
  private static final int MAX_REASON_BYTES = 4096;

  private final boolean passing;
  private final String reason;

  /**
   * @param passing the same HELLO may be welcome later, for instance after a restart
   * @param reason one sentence for people, cut at 4 KiB
   */
  public Refused(boolean passing, String reason) {
    this.passing = passing;
    this.reason = reason;
  }

  public boolean passing() {
    return passing;
  }

  public String reason() {
    return reason;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.flag(passing);
    out.cutString(reason, MAX_REASON_BYTES);
    return out.toByteArray();
  }

  /** Later versions may append fields; they are ignored. */
  public static Refused decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new Refused(in.flag(), in.string("The reason", MAX_REASON_BYTES));
  }
}
