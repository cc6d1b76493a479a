package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * The payload of {@code FrameType.CLOSE_RUN}: when the collector acknowledges it, everything of the
 * run that was durable before it is sealed to Parquet.
 */
public final class CloseRun {
  private static final int MAX_TEXT_BYTES = 1024;

  private final String runId;

  /** {@code runId} is the ULID of the run to seal, or empty for the sender's own. */
  public CloseRun(String runId) {
    this.runId = runId;
  }

  public String runId() {
    return runId;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.string("The run's ULID", runId, MAX_TEXT_BYTES);
    return out.toByteArray();
  }

  /**
   * @throws MalformedFrameException also for bytes too many, and for an identity that {@code
   *     encode} would refuse
   */
  public static CloseRun decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    CloseRun closeRun = new CloseRun(in.string("The run's ULID", MAX_TEXT_BYTES));
    in.expectEnd();
    return closeRun;
  }
}
