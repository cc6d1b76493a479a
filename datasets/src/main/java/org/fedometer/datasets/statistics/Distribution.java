package org.fedometer.datasets.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Distribution of a measure of objects, in memory that does not grow with their number. Values are
 * counted in buckets: separate ones below 1,024, above that of a width below 0.2 % of their values.
 * Number, minimum, maximum and mean are exact. Requires a value before queries; used by one thread
 * while it grows.
 */
public final class Distribution {

  private static final int MAX_BARS = 12;

  /** Ratio of maximum to minimum from which bars double in width. */
  private static final int DOUBLING_RATIO = 20;

  /** Values below two to this power have separate buckets. */
  private static final int EXACT_BITS = 10;

  private static final int EXACT = 1 << EXACT_BITS;

  /** Buckets from a power of two to the next. */
  private static final int STEPS = EXACT / 2;

  private static final long MAX_VALUE = 1L << 60;

  /** Counts by bucket, for those with values: some 80 bytes each. There are 26,625 in all. */
  private final NavigableMap<Integer, Long> counts = new TreeMap<>();

  private long count;
  private long sum;
  private long min = Long.MAX_VALUE;
  private long max = -1;

  Distribution() {}

  /**
   * @param value 0 to 2^60; all together less than 2^63
   */
  void add(long value) {
    if (value < 0 || value > MAX_VALUE) {
      throw new IllegalArgumentException("a distribution takes values of 0 to 2^60, not " + value);
    }
    sum = Math.addExact(sum, value);
    counts.merge(bucketOf(value), 1L, Long::sum);
    count++;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  private static int bucketOf(long value) {
    if (value < EXACT) {
      return (int) value;
    }
    int shift = Long.SIZE - Long.numberOfLeadingZeros(value) - EXACT_BITS;
    // After the shift a value is STEPS to EXACT - 1.
    return shift * STEPS + (int) (value >> shift);
  }

  /** Returns the smallest value of a bucket. */
  private static long beginOf(int bucket) {
    if (bucket < EXACT) {
      return bucket;
    }
    int shift = bucket / STEPS - 1;
    return (long) (bucket - shift * STEPS) << shift;
  }

  /**
   * @param from the smallest value in it
   * @param to the value just above the largest
   */
  public record Bar(long from, long to, long count) {}

  public long count() {
    return count;
  }

  public long min() {
    return min;
  }

  public long max() {
    return max;
  }

  public double mean() {
    return (double) sum / count;
  }

  /**
   * Returns the smallest value that at least this share of all does not exceed, at most 0.1 % off
   * from 1,024 on. 0.5 gives the median.
   */
  public long quantile(double share) {
    long rank = Math.max(1, Math.min(count, (long) Math.ceil(share * count)));
    if (rank == 1) {
      return min;
    } else if (rank == count) {
      return max;
    }
    long passed = 0;
    int bucket = 0;
    for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
      bucket = entry.getKey();
      passed += entry.getValue();
      if (passed >= rank) {
        break;
      }
    }
    long begin = beginOf(bucket);
    long middle = begin + (beginOf(bucket + 1) - begin) / 2;
    return Math.max(min, Math.min(max, middle));
  }

  /**
   * Returns at most twelve adjacent bars, from the minimum to the maximum. They have equal width as
   * far as buckets allow, or double widths if values are far apart. The counts are exact.
   */
  public List<Bar> histogram() {
    boolean doubling = max > DOUBLING_RATIO * Math.max(1, min);
    long width = (max - min) / MAX_BARS + 1;
    long next = doubling ? firstDoubling() : min;
    List<Bar> bars = new ArrayList<>();
    long from = min;
    int bucket = bucketOf(min);
    int last = bucketOf(max);
    while (bucket <= last) {
      next = doubling ? Math.max(1, 2 * next) : next + width;
      // Powers of two begin a bucket; other ends of a bar move to the start of one.
      int end = Math.min(last + 1, bucketOf(next - 1) + 1);
      long inside = 0;
      if (end > bucket) {
        inside = counts.subMap(bucket, end).values().stream().mapToLong(Long::longValue).sum();
        bucket = end;
      }
      long to = bucket > last ? Math.max(next, max + 1) : beginOf(end);
      if (to > from) {
        bars.add(new Bar(from, to, inside));
        from = to;
      }
    }
    return bars;
  }

  /**
   * Returns a power of two large enough that twelve bars reach the maximum; all smaller values are
   * in the first bar.
   */
  private long firstDoubling() {
    return Math.max(Long.highestOneBit(min), Long.highestOneBit(max) >> MAX_BARS - 1);
  }
}
