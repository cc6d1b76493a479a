package org.fedometer.wire.record;

import org.fedometer.wire.Frame;
import org.fedometer.wire.PayloadWriter;

/**
 * Encodes the payload of a {@code FrameType.TELEMETRY} frame; reusable, one thread at a time.
 * Consecutive values with the same time form one reading, which stores the time once. {@link
 * TelemetryConsumer#value} defines the values.
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
   * Adds a value to the reading of its time, or nothing if it throws.
   *
   * @param metricId 0 and up
   * @throws IllegalArgumentException if the metric is negative
   * @throws IllegalStateException if {@link #isFull()}
   */
  public void add(long atNanos, int metricId, double value) {
    if (metricId < 0) {
      throw new IllegalArgumentException("A metric's number must be 0 or more: " + metricId);
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
      // Reserve before the first byte: if memory runs out, nothing is written and all values follow
      // later.
      readings.ensureCapacity(MAX_HEAD_BYTES + current.size());
      readings.zigzag(currentNanos - previousNanos);
      previousNanos = currentNanos;
      readings.varint(currentCount);
      readings.append(current);
      current.reset();
      currentCount = 0;
    }
  }

  /** Returns an upper bound of the payload's size so far. */
  public int sizeBytes() {
    return readings.size() + current.size() + (currentCount > 0 ? MAX_HEAD_BYTES : 0);
  }

  /** Returns whether the frame lacks space for one more value. */
  public boolean isFull() {
    return sizeBytes() > Frame.MAX_PAYLOAD_BYTES - MAX_HEAD_BYTES - MAX_VALUE_BYTES;
  }

  /** Returns the number of values, not readings. */
  public int count() {
    return count;
  }

  /** Returns the payload of all values since the last call and empties the encoder. */
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
