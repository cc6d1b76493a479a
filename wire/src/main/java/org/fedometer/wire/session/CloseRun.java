package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * The payload of {@code FrameType.CLOSE_RUN}. When the collector acknowledges it, everything of the
 * run that was durable before is sealed to Parquet.
 */
public final class CloseRun {
  private static final int MAX_TEXT_BYTES = 1024;

  private final String runId;

  /**
   * @param runId ULID of the run to seal, or empty for the sender's own
   */
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
   * @throws MalformedFrameException also for trailing bytes, and for an identity that {@code
   *     encode} would reject
   */
  public static CloseRun decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    CloseRun closeRun = new CloseRun(in.string("The run's ULID", MAX_TEXT_BYTES));
    in.expectEnd();
    return closeRun;
  }
}
