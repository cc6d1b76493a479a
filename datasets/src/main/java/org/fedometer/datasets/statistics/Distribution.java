package org.fedometer.datasets.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How a measure of objects is spread, in memory that does not grow with their number: values are
 * counted in buckets, those below 1,024 each in one of its own, larger ones in buckets of a width
 * below 0.2 % of what is in them. Number, least, most and mean are exact. Asked when it has a
 * value; used by one thread while it grows.
 */
public final class Distribution {

  private static final int MAX_BARS = 12;

  /** From this ratio of most to least on, bars double in width. */
  private static final int DOUBLING_RATIO = 20;

  /** Values below two to this power are counted each for itself. */
  private static final int EXACT_BITS = 10;

  private static final int EXACT = 1 << EXACT_BITS;

  /** Buckets from a power of two to the next. */
  private static final int STEPS = EXACT / 2;

  private static final long MAX_VALUE = 1L << 60;

  /** By bucket, of those that have values: some 80 bytes each. There are 26,625 in all. */
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
    // Behind the shift a value is STEPS to EXACT - 1.
    return shift * STEPS + (int) (value >> shift);
  }

  /** The smallest value of a bucket. */
  private static long beginOf(int bucket) {
    if (bucket < EXACT) {
      return bucket;
    }
    int shift = bucket / STEPS - 1;
    return (long) (bucket - shift * STEPS) << shift;
  }

  /**
   * @param from smallest value in it
   * @param to just above the largest
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
   * The smallest value that at least this share of all does not exceed, at most 0.1 % off from
   * 1,024 on; 0.5 is the median.
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
   * At most twelve bars that join each other, from the least value to the most: of equal width as
   * far as buckets allow, or each twice as wide as the one before where values are far apart. The
   * counts are exact.
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
      // Powers of two begin a bucket, other ends of a bar move to where one begins.
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

  /** A power of two, so large that twelve bars reach the most; all below it is in the first bar. */
  private long firstDoubling() {
    return Math.max(Long.highestOneBit(min), Long.highestOneBit(max) >> MAX_BARS - 1);
  }
}
