package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Encodes the payload of a {@code FrameType.SAMPLES} frame; reusable, one thread at a time. Expects
 * the order of the rings: samples of a thread and trace together, each at its stage's end. Most
 * samples then need 5 to 8 bytes; any other order is valid but longer.
 */
public final class SampleEncoder {
  static final int FAILED = 1;
  static final int OTHER_CONTEXT = 2;
  static final int OTHER_SELF_TIME = 4;
  static final int OTHER_ORDER = 8;
  static final int ALL_FLAGS = FAILED | OTHER_CONTEXT | OTHER_SELF_TIME | OTHER_ORDER;

  /** Lowest bit of a time without {@code OTHER_ORDER}: set if the previous sample lies inside. */
  static final int AROUND = 1;

  /** Limit of a sample: head, flags, five numbers. */
  private static final int MAX_SAMPLE_BYTES = 5 + 1 + 5 * 10;

  private static final int MAX_COUNT_BYTES = 5;

  private final PayloadWriter body =
      new PayloadWriter(4096, Frame.MAX_PAYLOAD_BYTES - MAX_COUNT_BYTES);
  private final SelfTimePrediction prediction = new SelfTimePrediction();
  private int count;
  private int threadId;
  private long traceId;
  private long previousStartNanos;
  private long previousEndNanos;

  /**
   * Adds a sample; {@link SampleConsumer#sample} defines the values.
   *
   * @param stageId 0 and up, below 2^30
   * @param threadId 0 and up
   * @throws IllegalArgumentException for any other stage or thread
   * @throws IllegalStateException if {@link #isFull()}
   */
  public void add(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    if (stageId >>> 30 != 0 || threadId < 0) {
      throw new IllegalArgumentException(
          "Stage (below 2^30) and thread must be 0 or more: stage "
              + stageId
              + ", thread "
              + threadId);
    }
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    boolean otherContext = threadId != this.threadId || traceId != this.traceId;
    if (otherContext) {
      prediction.reset();
    }
    long selfDifference = selfNanos - prediction.next(startNanos, durationNanos);
    long endNanos = startNanos + durationNanos;
    long gapNanos = startNanos - previousEndNanos;
    long leadNanos = previousStartNanos - startNanos;
    long tailNanos = endNanos - previousEndNanos;
    boolean after = gapNanos >= 0;
    boolean around = !after && leadNanos >= 0 && tailNanos >= 0;
    int flags =
        (failed ? FAILED : 0)
            | (otherContext ? OTHER_CONTEXT : 0)
            | (selfDifference != 0 ? OTHER_SELF_TIME : 0)
            | (after || around ? 0 : OTHER_ORDER);
    body.varint((long) stageId << 1 | (flags == 0 ? 0 : 1));
    if (flags != 0) {
      body.fixed8(flags);
    }
    if (otherContext) {
      body.varint(threadId);
      body.zigzag(traceId - this.traceId);
      this.threadId = threadId;
      this.traceId = traceId;
    }
    if (after) {
      body.varint(gapNanos << 1);
      body.varint(durationNanos);
    } else if (around) {
      body.varint(tailNanos << 1 | AROUND);
      body.varint(leadNanos);
    } else {
      body.zigzag(tailNanos);
      body.varint(durationNanos);
    }
    previousStartNanos = startNanos;
    previousEndNanos = endNanos;
    if (selfDifference != 0) {
      body.zigzag(selfDifference);
    }
    count++;
  }

  public int sizeBytes() {
    return body.size() + MAX_COUNT_BYTES;
  }

  /** Returns whether the frame lacks space for one more sample. */
  public boolean isFull() {
    return body.size() > Frame.MAX_PAYLOAD_BYTES - MAX_COUNT_BYTES - MAX_SAMPLE_BYTES;
  }

  public int count() {
    return count;
  }

  /** Returns the payload of all samples since the last call and empties the encoder. */
  public byte[] finish() {
    byte[] payload = PayloadWriter.counted(count, body);
    body.reset();
    prediction.reset();
    count = 0;
    threadId = 0;
    traceId = 0;
    previousStartNanos = 0;
    previousEndNanos = 0;
    return payload;
  }
}
