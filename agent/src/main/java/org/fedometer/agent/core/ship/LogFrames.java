package org.fedometer.agent.core.ship;

import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;

/**
 * Packs log lines into frames; drainer's thread only. The client drops and counts frames that it
 * has no space for.
 */
public final class LogFrames implements LogSink {

  private static final int FRAME_BYTES = 64 * 1024;

  private final CollectorClient client;
  private final LogEncoder lines = new LogEncoder();

  /** Packed but not offered yet, since memory ran out; usually null. */
  private byte[] unsent;

  public LogFrames(CollectorClient client) {
    this.client = client;
  }

  @Override
  public void log(
      long atNanos,
      LogLevel level,
      long traceId,
      String logger,
      String thread,
      String message,
      String thrown) {
    // Flush first: if that fails, the line is not in the frame and is correctly counted as dropped.
    if (lines.sizeBytes() >= FRAME_BYTES) {
      flush();
    }
    lines.add(atNanos, level, traceId, logger, thread, message, thrown);
  }

  @Override
  public void flush() {
    offerUnsent();
    if (lines.count() > 0) {
      unsent = lines.finish();
      offerUnsent();
    }
  }

  private void offerUnsent() {
    if (unsent != null) {
      client.offer(FrameType.LOGS, unsent);
      unsent = null;
    }
  }
}
