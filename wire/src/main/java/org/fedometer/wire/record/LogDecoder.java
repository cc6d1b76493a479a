package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/** Reads the payload of a {@code FrameType.LOGS} frame. Stateless, any thread. */
public final class LogDecoder {
  /** Logger, thread, message, stack trace, context. */
  private static final int TEXTS_OF_A_LINE = 5;

  private LogDecoder() {}

  /** The consumer may have seen lines before the payload turns out to be malformed. */
  public static void decode(ByteBuffer payload, Consumer<LogRow> consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    LogRow row = new LogRow();
    while (in.remaining() > 0) {
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
  }

  /** How many lines a frame holds, far cheaper than decoding it; the payload keeps its position. */
  public static int count(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    int count = 0;
    while (in.remaining() > 0) {
      in.zigzag();
      in.fixed8();
      in.zigzag();
      for (int text = 0; text < TEXTS_OF_A_LINE; text++) {
        in.skipString();
      }
      count++;
    }
    return count;
  }
}
