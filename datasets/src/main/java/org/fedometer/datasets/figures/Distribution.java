package org.fedometer.datasets.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How a measure of objects is spread. Immutable. */
public final class Distribution {

  private static final int MOST_BARS = 12;

  /** From this ratio of most to least on, bars double in width. */
  private static final int WIDE = 20;

  private final long[] sorted;

  /**
   * @param values at least one, none below zero
   */
  Distribution(long[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a distribution needs at least one value");
    }
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  /**
   * One bar of a histogram.
   *
   * @param from smallest value in it
   * @param to just above the largest
   * @param count how many values
   */
  public record Bar(long from, long to, int count) {}

  /** How many values there are. */
  public int count() {
    return sorted.length;
  }

  public long least() {
    return sorted[0];
  }

  public long most() {
    return sorted[sorted.length - 1];
  }

  public double mean() {
    double sum = 0;
    for (long value : sorted) {
      sum += value;
    }
    return sum / sorted.length;
  }

  /** The smallest value that at least this share of all does not exceed; 0.5 is the median. */
  public long quantile(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, Math.min(sorted.length - 1, rank - 1))];
  }

  /**
   * At most twelve bars that join each other, from the least value to the most: of equal width, or
   * each twice as wide as the one before where values are far apart.
   */
  public List<Bar> histogram() {
    boolean doubling = most() > WIDE * Math.max(1, least());
    List<Bar> bars = new ArrayList<>();
    long from = doubling ? firstDoubling() : least();
    long width = (most() - least()) / MOST_BARS + 1;
    for (int next = 0; next < sorted.length; ) {
      long to = doubling ? Math.max(1, 2 * from) : from + width;
      int first = next;
      while (next < sorted.length && sorted[next] < to) {
        next++;
      }
      bars.add(new Bar(bars.isEmpty() ? Math.min(from, least()) : from, to, next - first));
      from = to;
    }
    return bars;
  }

  /** A power of two, so large that twelve bars reach the most; all below it is in the first bar. */
  private long firstDoubling() {
    long ofLeast = Long.highestOneBit(least());
    return Math.max(ofLeast, Long.highestOneBit(most()) >> MOST_BARS - 1);
  }
}
