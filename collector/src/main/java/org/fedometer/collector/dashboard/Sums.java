package org.fedometer.collector.dashboard;

import java.util.Arrays;

/** A column of sums or maxima; values are at least 0. */
final class Sums implements Column<Sums> {
  private final boolean maximum;
  private long[] values = new long[8];

  Sums() {
    this(false);
  }

  /** Keeps maxima in place of sums if {@code maximum}. */
  Sums(boolean maximum) {
    this.maximum = maximum;
  }

  void add(int bucket, long value) {
    if (bucket >= values.length) {
      values = Arrays.copyOf(values, Timeline.capacityFor(bucket, values.length));
    }
    long sum = values[bucket] + value;
    values[bucket] = maximum ? Math.max(values[bucket], value) : sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Returns 0 for an empty bucket. */
  long at(int bucket) {
    return bucket < values.length ? values[bucket] : 0;
  }

  @Override
  public void move(Timeline.BucketMapping to) {
    Sums moved = new Sums(maximum);
    moved.addAll(this, to);
    values = moved.values;
  }

  @Override
  public void addAll(Sums other, Timeline.BucketMapping to) {
    for (int i = 0; i < other.values.length; i++) {
      if (other.values[i] != 0) {
        add(to.of(i), other.values[i]);
      }
    }
  }
}
