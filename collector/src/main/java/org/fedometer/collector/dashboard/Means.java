package org.fedometer.collector.dashboard;

import java.util.Arrays;

/** Means or maxima of readings. */
final class Means implements Column<Means> {
  private final boolean maximum;
  private double[] values = new double[8];
  private double[] weights = new double[8];

  /** Keeps maxima in place of means if {@code maximum}. */
  Means(boolean maximum) {
    this.maximum = maximum;
  }

  /**
   * @param value sum or maximum of the readings
   * @param weight number of readings, or seconds
   */
  void add(int bucket, double value, double weight) {
    if (!Double.isFinite(value) || !(weight > 0) || !Double.isFinite(weight)) {
      return;
    }
    if (bucket >= values.length) {
      int capacity = Timeline.capacityFor(bucket, values.length);
      values = Arrays.copyOf(values, capacity);
      weights = Arrays.copyOf(weights, capacity);
    }
    values[bucket] =
        maximum && weights[bucket] > 0 ? Math.max(values[bucket], value) : values[bucket] + value;
    weights[bucket] += weight;
  }

  /** Returns NaN for an empty bucket. */
  double at(int bucket) {
    if (bucket >= values.length || weights[bucket] == 0) {
      return Double.NaN;
    }
    return maximum ? values[bucket] : values[bucket] / weights[bucket];
  }

  @Override
  public void move(Timeline.BucketMapping to) {
    Means moved = new Means(maximum);
    moved.addAll(this, to);
    values = moved.values;
    weights = moved.weights;
  }

  @Override
  public void addAll(Means other, Timeline.BucketMapping to) {
    for (int i = 0; i < other.values.length; i++) {
      if (other.weights[i] > 0) {
        add(to.of(i), other.values[i], other.weights[i]);
      }
    }
  }
}
