package org.fedometer.store.rollup;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * One stage in one interval. Keeps single values until there are as many as a histogram would take
 * memory: most stages of most intervals are rare.
 */
final class StageCell {
  private static final int MOST_SINGLE_VALUES = 1024;
  private static final int SIGNIFICANT_DIGITS = 2;

  private long count;
  private long failed;
  private long sumTotalNanos;
  private long sumOwnNanos;
  private long minNanos = Long.MAX_VALUE;
  private long maxNanos = Long.MIN_VALUE;
  private long[] values = new long[4];
  private IntCountsHistogram histogram;

  /** What {@link #encoded} gave last; null when more has come since. */
  private byte[] encoded;

  void add(long totalNanos, long ownNanos, boolean isFailed) {
    encoded = null;
    if (histogram != null) {
      histogram.recordValue(recordable(totalNanos));
    } else if (count < MOST_SINGLE_VALUES) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * values.length);
      }
      values[(int) count] = totalNanos;
    } else {
      histogram = new IntCountsHistogram(SIGNIFICANT_DIGITS);
      histogram.setAutoResize(true);
      recordValuesInto(histogram);
      values = null;
      histogram.recordValue(recordable(totalNanos));
    }
    count++;
    if (isFailed) {
      failed++;
    }
    sumTotalNanos += totalNanos;
    sumOwnNanos += ownNanos;
    minNanos = Math.min(minNanos, totalNanos);
    maxNanos = Math.max(maxNanos, totalNanos);
  }

  private void recordValuesInto(AbstractHistogram target) {
    for (int i = 0; i < Math.min(count, values.length); i++) {
      target.recordValue(recordable(values[i]));
    }
  }

  /** What a hostile or broken source sends must not break the others' figures. */
  private static long recordable(long nanos) {
    return Math.max(0, Math.min(nanos, Long.MAX_VALUE / 4));
  }

  Rollup rollup(long beginEpochSeconds, String stage) {
    return new Rollup(
        beginEpochSeconds,
        stage,
        count,
        failed,
        sumTotalNanos,
        sumOwnNanos,
        minNanos,
        maxNanos,
        encoded());
  }

  private byte[] encoded() {
    if (encoded == null) {
      encoded = encode();
    }
    return encoded;
  }

  private byte[] encode() {
    AbstractHistogram all = histogram;
    if (all == null) {
      all = new Histogram(SIGNIFICANT_DIGITS);
      all.setAutoResize(true);
      recordValuesInto(all);
    }
    ByteBuffer bytes = ByteBuffer.allocate(all.getNeededByteBufferCapacity());
    int length =
        all instanceof IntCountsHistogram ints
            ? ints.encodeIntoCompressedByteBuffer(bytes)
            : ((Histogram) all).encodeIntoCompressedByteBuffer(bytes);
    return Arrays.copyOf(bytes.array(), length);
  }
}
