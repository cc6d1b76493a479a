package org.fedometer.collector.dashboard;

import java.util.Arrays;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.PackedHistogram;
import org.fedometer.store.rollup.Rollups;

/** Durations of requests, as histograms that store only recorded counts. */
final class Latencies implements Column<Latencies> {
  private OneBucket[] buckets = new OneBucket[8];

  /** Nanoseconds. */
  record Percentiles(long p50, long p95, long p99) {}

  private static final class OneBucket {
    private final PackedHistogram histogram = empty();

    /** Null if outdated. */
    private Percentiles percentiles;
  }

  static PackedHistogram empty() {
    return new PackedHistogram(2);
  }

  void add(int bucket, long nanos) {
    changed(bucket).recordValue(Rollups.recordable(nanos));
  }

  void add(int bucket, AbstractHistogram nanos) {
    changed(bucket).add(nanos);
  }

  private PackedHistogram changed(int bucket) {
    if (bucket >= buckets.length) {
      buckets = Arrays.copyOf(buckets, Timeline.capacityFor(bucket, buckets.length));
    }
    if (buckets[bucket] == null) {
      buckets[bucket] = new OneBucket();
    }
    buckets[bucket].percentiles = null;
    return buckets[bucket].histogram;
  }

  long countAt(int bucket) {
    return bucket < buckets.length && buckets[bucket] != null
        ? buckets[bucket].histogram.getTotalCount()
        : 0;
  }

  /** Returns null for an empty bucket. */
  Percentiles at(int bucket) {
    if (countAt(bucket) == 0) {
      return null;
    }
    OneBucket of = buckets[bucket];
    if (of.percentiles == null) {
      of.percentiles =
          new Percentiles(
              of.histogram.getValueAtPercentile(50),
              of.histogram.getValueAtPercentile(95),
              of.histogram.getValueAtPercentile(99));
    }
    return of.percentiles;
  }

  @Override
  public void move(Timeline.BucketMapping to) {
    Latencies moved = new Latencies();
    for (int i = 0; i < buckets.length; i++) {
      if (buckets[i] != null) {
        int position = to.of(i);
        if (position >= moved.buckets.length) {
          moved.buckets =
              Arrays.copyOf(moved.buckets, Timeline.capacityFor(position, moved.buckets.length));
        }
        if (moved.buckets[position] == null) {
          moved.buckets[position] = buckets[i];
        } else {
          moved.buckets[position].histogram.add(buckets[i].histogram);
          moved.buckets[position].percentiles = null;
        }
      }
    }
    buckets = moved.buckets;
  }

  @Override
  public void addAll(Latencies other, Timeline.BucketMapping to) {
    for (int i = 0; i < other.buckets.length; i++) {
      if (other.buckets[i] != null) {
        add(to.of(i), other.buckets[i].histogram);
      }
    }
  }
}
