package org.fedometer.wire;

import java.nio.ByteBuffer;

/** Reads the payload of a {@link FrameType#LOGS} frame. Stateless, any thread. */
public final class LogDecoder {
  private LogDecoder() {}

  /**
   * @param payload keeps its position
   * @param consumer may have seen lines before the payload turns out to be malformed
   */
  public static void decode(ByteBuffer payload, LogConsumer consumer)
      throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    long atNanos = 0;
    while (in.remaining() > 0) {
      atNanos += in.zigzag();
      LogLevel level = LogLevel.ofCode(in.fixed8());
      long traceId = in.zigzag();
      String logger = in.string("A logger's name", LogEncoder.MAX_NAME_BYTES);
      String thread = in.string("A thread's name", LogEncoder.MAX_NAME_BYTES);
      String message = in.string("A message", LogEncoder.MAX_MESSAGE_BYTES);
      String thrown = in.string("A stack trace", LogEncoder.MAX_THROWN_BYTES);
      consumer.log(atNanos, level, traceId, logger, thread, message, thrown);
    }
  }
}
