package org.fedometer.wire.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;

/**
 * Reads the payload of a frame of requests: {@link FrameType#REQUESTS} or {@link
 * FrameType#OPERATIONS}. Stateless, any thread.
 */
public final class RequestDecoder {
  /** A head, and ten fields of a request. */
  private static final int LEAST_REQUEST_BYTES = 1 + 10;

  private RequestDecoder() {}

  /** Whether frames of the type hold requests; null is none that does. */
  public static boolean reads(FrameType type) {
    return type == FrameType.REQUESTS || type == FrameType.OPERATIONS;
  }

  /**
   * @param type one that {@link #reads} is true of
   * @param payload with no bytes behind the requests
   * @param consumer may have seen requests before the payload turns out to be malformed
   * @throws IllegalArgumentException for another type
   */
  public static void decode(FrameType type, byte[] payload, RequestConsumer consumer)
      throws MalformedFrameException {
    decode(type, ByteBuffer.wrap(payload), consumer);
  }

  /**
   * @param type one that {@link #reads} is true of
   * @param payload the rest of the buffer, with no bytes behind the requests; keeps its position
   * @param consumer may have seen requests before the payload turns out to be malformed
   * @throws IllegalArgumentException for another type
   */
  public static void decode(FrameType type, ByteBuffer payload, RequestConsumer consumer)
      throws MalformedFrameException {
    if (!reads(type)) {
      throw new IllegalArgumentException("Frames of the type " + type + " hold no requests");
    }
    PayloadReader in = new PayloadReader(payload);
    Heads heads = type == FrameType.REQUESTS ? null : Heads.read(in);
    long objectIndex = 0;
    long startNanos = 0;
    for (int i = 0; heads == null ? in.remaining() > 0 : i < heads.lateNanos.length; i++) {
      objectIndex += in.zigzag();
      String pid = in.string("A PID", RequestEncoder.MAX_TEXT_BYTES);
      String traceparent = in.string("A traceparent", RequestEncoder.MAX_TEXT_BYTES);
      int worker = in.varintInt("A worker's number");
      int attempt = in.varintInt("An attempt's number");
      startNanos += in.zigzag();
      long durationNanos = in.varint();
      int status = in.varintInt("A status");
      long contentBytes = in.varint();
      String message = in.string("A message", RequestEncoder.MAX_MESSAGE_BYTES);
      consumer.request(
          objectIndex,
          pid,
          traceparent,
          worker,
          attempt,
          startNanos,
          durationNanos,
          status,
          contentBytes,
          message,
          heads == null ? RequestEncoder.INGEST : heads.operations[i],
          heads == null ? startNanos : startNanos - heads.lateNanos[i]);
    }
    in.expectEnd();
  }

  /** What comes before the requests of a frame of operations, an entry for each. */
  private static final class Heads {
    private final String[] operations;
    private final long[] lateNanos;

    private Heads(int count) {
      operations = new String[count];
      lateNanos = new long[count];
    }

    static Heads read(PayloadReader in) throws MalformedFrameException {
      Heads heads = new Heads(in.count("requests", LEAST_REQUEST_BYTES));
      List<String> names = new ArrayList<>();
      for (int i = 0; i < heads.operations.length; i++) {
        int head = in.varintInt("A request's head");
        int number = head >> 1;
        if (number == names.size()) {
          names.add(name(in));
        } else if (number > names.size()) {
          throw new MalformedFrameException(
              "Of " + Counted.of(names.size(), "operation") + " none has the number " + number);
        }
        heads.operations[i] = names.get(number);
        heads.lateNanos[i] = (head & RequestEncoder.NOT_WHEN_DUE) == 0 ? 0 : in.zigzag();
      }
      return heads;
    }

    private static String name(PayloadReader in) throws MalformedFrameException {
      String name = in.string("An operation", RequestEncoder.MAX_OPERATION_BYTES);
      if (name.isEmpty()) {
        throw new MalformedFrameException("An operation has no name");
      }
      return name;
    }
  }
}
