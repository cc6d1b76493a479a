package org.fedometer.collector.dashboard;

import java.util.Arrays;

/** The greatest of values from 0 on. */
final class Maxima implements Column<Maxima> {
  private long[] values = new long[8];

  void add(int bucket, long value) {
    if (bucket >= values.length) {
      values = Arrays.copyOf(values, Course.roomFor(bucket, values.length));
    }
    values[bucket] = Math.max(values[bucket], value);
  }

  /** 0 where there was none. */
  long at(int bucket) {
    return bucket < values.length ? values[bucket] : 0;
  }

  @Override
  public void move(Course.Places to) {
    Maxima moved = new Maxima();
    moved.addAll(this, to);
    values = moved.values;
  }

  @Override
  public void addAll(Maxima other, Course.Places to) {
    for (int i = 0; i < other.values.length; i++) {
      if (other.values[i] != 0) {
        add(to.of(i), other.values[i]);
      }
    }
  }
}
