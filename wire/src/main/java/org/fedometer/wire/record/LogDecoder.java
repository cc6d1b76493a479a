package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/**
 * Reads the payload of a frame of log lines: {@link FrameType#LOGS} or {@link
 * FrameType#LOG_EVENTS}. Stateless, any thread.
 */
public final class LogDecoder {
  /** A context, and seven fields of a line. */
  private static final int LEAST_EVENT_BYTES = 1 + 7;

  /** Logger, thread, message, stack trace. */
  private static final int TEXTS_OF_A_LINE = 4;

  private LogDecoder() {}

  /** Whether frames of the type hold log lines; null is none that does. */
  public static boolean reads(FrameType type) {
    return type == FrameType.LOGS || type == FrameType.LOG_EVENTS;
  }

  /**
   * @param type one that {@link #reads} is true of
   * @param payload keeps its position
   * @param consumer may have seen lines before the payload turns out to be malformed
   */
  public static void decode(FrameType type, ByteBuffer payload, LogConsumer consumer)
      throws MalformedFrameException {
    if (!reads(type)) {
      throw new IllegalArgumentException("Frames of the type " + type + " hold no log lines");
    }
    PayloadReader in = new PayloadReader(payload);
    String[] contexts = type == FrameType.LOGS ? null : contexts(in);
    long atNanos = 0;
    for (int i = 0; contexts == null ? in.remaining() > 0 : i < contexts.length; i++) {
      atNanos += in.zigzag();
      LogLevel level = LogLevel.ofCode(in.fixed8());
      long traceId = in.zigzag();
      String logger = in.string("A logger's name", LogEncoder.MAX_NAME_BYTES);
      String thread = in.string("A thread's name", LogEncoder.MAX_NAME_BYTES);
      String message = in.string("A message", LogEncoder.MAX_MESSAGE_BYTES);
      String thrown = in.string("A stack trace", LogEncoder.MAX_THROWN_BYTES);
      consumer.log(
          atNanos,
          level,
          traceId,
          logger,
          thread,
          message,
          thrown,
          contexts == null ? "" : contexts[i]);
    }
    in.expectEnd();
  }

  /**
   * How many lines a frame holds, at a small part of the cost of decoding it.
   *
   * @param type one that {@link #reads} is true of
   * @param payload keeps its position
   */
  public static int count(FrameType type, ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    if (type == FrameType.LOG_EVENTS) {
      return in.count("log lines", LEAST_EVENT_BYTES);
    }
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

  private static String[] contexts(PayloadReader in) throws MalformedFrameException {
    String[] contexts = new String[in.count("log lines", LEAST_EVENT_BYTES)];
    for (int i = 0; i < contexts.length; i++) {
      contexts[i] = in.string("A context", LogEncoder.MAX_CONTEXT_BYTES);
    }
    return contexts;
  }
}
