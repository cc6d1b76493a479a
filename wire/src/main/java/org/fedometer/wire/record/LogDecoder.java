package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Decodes the payload of a {@code FrameType.LOGS} frame. Stateless, any thread. */
public final class LogDecoder {
  private static final int MIN_LINE_BYTES = 8;

  private LogDecoder() {}

  /** Decodes all lines; the consumer may have received some before a malformed one is found. */
  public static void decode(ByteBuffer payload, Consumer<LogRow> consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    LogRow row = new LogRow();
    for (int left = in.count("log lines", MIN_LINE_BYTES); left > 0; left--) {
      row.atNanos += in.zigzag();
      row.level = LogLevel.ofCode(in.fixed8());
      row.traceId = in.zigzag();
      row.logger = in.string("A logger's name", LogEncoder.MAX_NAME_BYTES);
      row.thread = in.string("A thread's name", LogEncoder.MAX_NAME_BYTES);
      row.message = in.string("A message", LogEncoder.MAX_MESSAGE_BYTES);
      row.thrown = in.string("A stack trace", LogEncoder.MAX_THROWN_BYTES);
      row.context = in.string("A context", LogEncoder.MAX_CONTEXT_BYTES);
      consumer.accept(row);
    }
    in.expectEnd();
  }

  /** Returns the number of lines, far cheaper than decoding; leaves the payload's position. */
  public static int count(ByteBuffer payload) throws MalformedFrameException {
    return new PayloadReader(payload).count("log lines", MIN_LINE_BYTES);
  }
}
