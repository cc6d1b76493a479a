package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/** The reason why the collector closes a connection. Immutable. */
public final class Rejected {
  private static final int MAX_REASON_BYTES = 4096;

  private final boolean temporary;
  private final String reason;

  /**
   * @param temporary true if the same HELLO may be accepted later, for instance after a restart
   * @param reason one sentence for users, truncated to 4 KiB
   */
  public Rejected(boolean temporary, String reason) {
    this.temporary = temporary;
    this.reason = reason;
  }

  public boolean temporary() {
    return temporary;
  }

  public String reason() {
    return reason;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.flag(temporary);
    out.truncatedString(reason, MAX_REASON_BYTES);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static Rejected decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new Rejected(in.flag(), in.string("The reason", MAX_REASON_BYTES));
  }
}
