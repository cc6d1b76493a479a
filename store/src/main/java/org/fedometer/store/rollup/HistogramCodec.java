package org.fedometer.store.rollup;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/** Writes histograms down and reads them again; keeps what that takes. For one thread at a time. */
final class HistogramCodec {
  private static final int SIGNIFICANT_DIGITS = 2;

  private final Histogram scratch = new Histogram(SIGNIFICANT_DIGITS);
  private ByteBuffer buffer = ByteBuffer.allocate(4096);

  HistogramCodec() {
    scratch.setAutoResize(true);
  }

  static IntCountsHistogram empty() {
    IntCountsHistogram histogram = new IntCountsHistogram(SIGNIFICANT_DIGITS);
    histogram.setAutoResize(true);
    return histogram;
  }

  /**
   * @param count how many of the values there are
   */
  byte[] encode(long[] values, int count) {
    scratch.reset();
    recordInto(scratch, values, count);
    prepare(scratch);
    return encoded(scratch.encodeIntoCompressedByteBuffer(buffer));
  }

  byte[] encode(IntCountsHistogram histogram) {
    prepare(histogram);
    return encoded(histogram.encodeIntoCompressedByteBuffer(buffer));
  }

  static IntCountsHistogram decode(byte[] encoded) {
    try {
      IntCountsHistogram histogram =
          IntCountsHistogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
      histogram.setAutoResize(true);
      return histogram;
    } catch (DataFormatException e) {
      throw new IllegalStateException("A histogram of our own cannot be read", e);
    }
  }

  static void recordInto(AbstractHistogram histogram, long[] values, int count) {
    for (int i = 0; i < count; i++) {
      histogram.recordValue(recordable(values[i]));
    }
  }

  /** What a hostile or broken source sends must not break the others' figures. */
  static long recordable(long nanos) {
    return Math.max(0, Math.min(nanos, Long.MAX_VALUE / 4));
  }

  private void prepare(AbstractHistogram histogram) {
    int needed = histogram.getNeededByteBufferCapacity();
    if (buffer.capacity() < needed) {
      buffer = ByteBuffer.allocate(needed);
    }
    buffer.clear();
  }

  private byte[] encoded(int length) {
    return Arrays.copyOf(buffer.array(), length);
  }
}
