package org.fedometer.collector.dashboard;

import java.util.Arrays;

/** A column of sums, or of the greatest values; values are 0 and up. */
final class Sums implements Column<Sums> {
  private final boolean greatest;
  private long[] values = new long[8];

  Sums() {
    this(false);
  }

  /** With {@code greatest}, a bucket keeps its greatest value in place of the sum. */
  Sums(boolean greatest) {
    this.greatest = greatest;
  }

  void add(int bucket, long value) {
    if (bucket >= values.length) {
      values = Arrays.copyOf(values, Course.roomFor(bucket, values.length));
    }
    long sum = values[bucket] + value;
    values[bucket] = greatest ? Math.max(values[bucket], value) : sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** 0 where there was none. */
  long at(int bucket) {
    return bucket < values.length ? values[bucket] : 0;
  }

  @Override
  public void move(Course.Places to) {
    Sums moved = new Sums(greatest);
    moved.addAll(this, to);
    values = moved.values;
  }

  @Override
  public void addAll(Sums other, Course.Places to) {
    for (int i = 0; i < other.values.length; i++) {
      if (other.values[i] != 0) {
        add(to.of(i), other.values[i]);
      }
    }
  }
}
