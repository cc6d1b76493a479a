package org.fedometer.store.rollup;

import java.nio.ByteBuffer;
import java.util.zip.Adler32;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Encodes and decodes histograms with reused buffers. One thread at a time.
 *
 * <p>HdrHistogram's compressed format is a zlib stream, which may hold uncompressed content, as it
 * does here. Compressing each histogram would need three times as long as the rest of a rollup, and
 * the Parquet file is compressed anyway.
 */
final class HistogramCodec {
  private static final int SIGNIFICANT_DIGITS = 2;

  /** HdrHistogram's encoding: version 2, compressed, counts of variable length. */
  private static final int COMPRESSED_COOKIE = 0x1c849304 | 0x10;

  private static final int ZLIB_BEGIN = 0x7801;
  private static final int MAX_BLOCK_BYTES = 0xFFFF;
  private static final int BLOCK_HEAD_BYTES = 5;

  private final Histogram scratch = new Histogram(SIGNIFICANT_DIGITS);
  private ByteBuffer buffer = ByteBuffer.allocate(4096);

  HistogramCodec() {
    scratch.setAutoResize(true);
  }

  /**
   * @param expectedMax exceeded by few values; growing for each costs an exception
   */
  static IntCountsHistogram empty(long expectedMax) {
    IntCountsHistogram histogram =
        new IntCountsHistogram(Math.max(2, Rollups.recordable(expectedMax)), SIGNIFICANT_DIGITS);
    histogram.setAutoResize(true);
    return histogram;
  }

  byte[] encode(long[] values, int count) {
    scratch.reset();
    recordInto(scratch, values, count);
    prepare(scratch);
    return encoded(scratch.encodeIntoByteBuffer(buffer));
  }

  byte[] encode(IntCountsHistogram histogram) {
    prepare(histogram);
    return encoded(histogram.encodeIntoByteBuffer(buffer));
  }

  static IntCountsHistogram decode(byte[] encoded) {
    try {
      IntCountsHistogram histogram =
          IntCountsHistogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
      histogram.setAutoResize(true);
      return histogram;
    } catch (DataFormatException e) {
      throw new IllegalStateException("A histogram written by Fedometer cannot be read", e);
    }
  }

  static void recordInto(AbstractHistogram histogram, long[] values, int count) {
    for (int i = 0; i < count; i++) {
      histogram.recordValue(Rollups.recordable(values[i]));
    }
  }

  private void prepare(AbstractHistogram histogram) {
    int needed = histogram.getNeededByteBufferCapacity();
    if (buffer.capacity() < needed) {
      buffer = ByteBuffer.allocate(needed);
    }
    buffer.clear();
  }

  private byte[] encoded(int length) {
    int blocks = (length + MAX_BLOCK_BYTES - 1) / MAX_BLOCK_BYTES;
    int zlibBytes = 2 + blocks * BLOCK_HEAD_BYTES + length + 4;
    ByteBuffer out = ByteBuffer.allocate(8 + zlibBytes);
    out.putInt(COMPRESSED_COOKIE).putInt(zlibBytes).putShort((short) ZLIB_BEGIN);
    for (int begin = 0; begin < length; begin += MAX_BLOCK_BYTES) {
      int size = Math.min(MAX_BLOCK_BYTES, length - begin);
      out.put((byte) (begin + size == length ? 1 : 0));
      // Only these two fields of zlib have the lowest byte first.
      out.putShort(Short.reverseBytes((short) size));
      out.putShort(Short.reverseBytes((short) ~size));
      out.put(buffer.array(), begin, size);
    }
    Adler32 checksum = new Adler32();
    checksum.update(buffer.array(), 0, length);
    return out.putInt((int) checksum.getValue()).array();
  }
}
