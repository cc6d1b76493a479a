package org.fedometer.collector.dashboard;

import java.util.Arrays;

/** A column of sums, or of the greatest values; values are 0 and up. */
final class Sums implements Column<Sums> {
  private final boolean maximum;
  private long[] values = new long[8];

  Sums() {
    this(false);
  }

  /** With {@code greatest}, a bucket keeps its greatest value in place of the sum. */
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

  /** 0 where there was none. */
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
