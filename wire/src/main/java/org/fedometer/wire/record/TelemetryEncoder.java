package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Builds the payload of a {@code FrameType.TELEMETRY} frame; reusable, one thread at a time. Values
 * that are added one after the other with the same time form one reading, which names it once.
 * {@link TelemetryConsumer#value} says what the values mean.
 */
public final class TelemetryEncoder {
  /** Time and count of a reading. */
  private static final int MAX_HEAD_BYTES = 10 + 5;

  private static final int MAX_VALUE_BYTES = 5 + 8;

  private final PayloadWriter readings = new PayloadWriter(1024, Frame.MAX_PAYLOAD_BYTES);
  private final PayloadWriter current = new PayloadWriter(1024, Frame.MAX_PAYLOAD_BYTES);
  private int currentCount;
  private long currentNanos;
  private long previousNanos;
  private int count;

  /**
   * Adds a value to the reading of its time, or nothing of it where that throws.
   *
   * @param metricId 0 and up
   * @throws IllegalArgumentException for a metric below 0
   * @throws IllegalStateException when the frame is full, see {@link #isFull()}
   */
  public void add(long atNanos, int metricId, double value) {
    if (metricId < 0) {
      throw new IllegalArgumentException("Metrics are numbers from 0 on: " + metricId);
    }
    if (isFull()) {
      throw new IllegalStateException("The frame is full: call finish() and send it");
    }
    if (atNanos != currentNanos) {
      endReading();
      currentNanos = atNanos;
    }
    current.ensureCapacity(MAX_VALUE_BYTES);
    current.varint(metricId);
    current.fixedDouble(value);
    currentCount++;
    count++;
  }

  private void endReading() {
    if (currentCount > 0) {
      // Before the first byte of it: where memory runs out, none is written, and all come later.
      readings.ensureCapacity(MAX_HEAD_BYTES + current.size());
      readings.zigzag(currentNanos - previousNanos);
      previousNanos = currentNanos;
      readings.varint(currentCount);
      readings.append(current);
      current.reset();
      currentCount = 0;
    }
  }

  /** The most that the payload takes so far. */
  public int sizeBytes() {
    return readings.size() + current.size() + (currentCount > 0 ? MAX_HEAD_BYTES : 0);
  }

  /** Whether there is no room for one more value. */
  public boolean isFull() {
    return sizeBytes() > Frame.MAX_PAYLOAD_BYTES - MAX_HEAD_BYTES - MAX_VALUE_BYTES;
  }

  /** Values, not readings. */
  public int count() {
    return count;
  }

  /** The payload with all values added since the last call; the encoder is empty afterwards. */
  public byte[] finish() {
    endReading();
    byte[] payload = readings.toByteArray();
    readings.reset();
    currentNanos = 0;
    previousNanos = 0;
    count = 0;
    return payload;
  }
}
