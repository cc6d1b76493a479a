package org.fedometer.store.rollup;

import java.util.Arrays;
import org.HdrHistogram.IntCountsHistogram;

/**
 * One stage in one interval. Keeps single values until they need as much memory as a histogram,
 * since most stages of most intervals are rare. A packed cell has only the encoded histogram.
 */
final class StageCell {
  private static final int MAX_SINGLE_VALUES = 1024;

  private long count;
  private long failed;
  private long sumDurationNanos;
  private long sumSelfNanos;
  private long minNanos = Long.MAX_VALUE;
  private long maxNanos = Long.MIN_VALUE;

  /** While there are few; null afterwards, and when packed. */
  private long[] values = new long[4];

  /** When there are many; null when packed. */
  private IntCountsHistogram histogram;

  /** Histogram of all added samples; null after a later addition. */
  private byte[] encoded;

  void add(long durationNanos, long selfNanos, boolean isFailed) {
    if (values == null && histogram == null) {
      histogram = HistogramCodec.decode(encoded);
    }
    encoded = null;
    if (histogram == null && count == MAX_SINGLE_VALUES) {
      histogram = HistogramCodec.empty(maxNanos);
      HistogramCodec.recordInto(histogram, values, MAX_SINGLE_VALUES);
      values = null;
    }
    if (histogram != null) {
      histogram.recordValue(Rollups.recordable(durationNanos));
    } else {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * values.length);
      }
      values[(int) count] = durationNanos;
    }
    count++;
    if (isFailed) {
      failed++;
    }
    sumDurationNanos += durationNanos;
    sumSelfNanos += selfNanos;
    minNanos = Math.min(minNanos, durationNanos);
    maxNanos = Math.max(maxNanos, durationNanos);
  }

  /** Reduces its memory; later additions are expensive. */
  void pack(HistogramCodec codec) {
    encode(codec);
    values = null;
    histogram = null;
  }

  Rollup rollup(long beginEpochSeconds, String stage, HistogramCodec codec) {
    encode(codec);
    return new Rollup(
        beginEpochSeconds,
        stage,
        count,
        failed,
        sumDurationNanos,
        sumSelfNanos,
        minNanos,
        maxNanos,
        encoded);
  }

  private void encode(HistogramCodec codec) {
    if (encoded == null) {
      encoded = histogram == null ? codec.encode(values, (int) count) : codec.encode(histogram);
    }
  }
}
