package org.fedometer.analysis.statistics;

import java.util.Arrays;

/**
 * Histograms of the service times in each interval of a series, from which {@link WithinRun}
 * computes percentiles of resamples without reading requests again.
 *
 * <p>Buckets are 1/256 wide, relative to the time, as in an HdrHistogram of two digits; percentiles
 * are interpolated within a bucket. Only non-empty buckets are kept, with cumulative counts of
 * requests. A percentile of a resample is thus a binary search with some ten weighted sums, instead
 * of one over all buckets. Immutable, safe on any thread.
 */
final class BlockHistograms {
  private static final int SUB_BITS = 8;
  private static final int SUB_BUCKETS = 1 << SUB_BITS;

  /** Numbers of the non-empty buckets, ascending. */
  private final int[] buckets;

  /** By bucket and interval: requests up to and in that bucket. */
  private final int[][] cumulative;

  private final int[] counts;

  BlockHistograms(Series series, Intervals intervals) {
    int[] places = places(series);
    int occurring = 0;
    for (int place : places) {
      occurring += place >= 0 ? 1 : 0;
    }
    buckets = new int[occurring];
    for (int bucket = 0; bucket < places.length; bucket++) {
      if (places[bucket] >= 0) {
        buckets[places[bucket]] = bucket;
      }
    }
    cumulative = new int[occurring][intervals.size()];
    counts = new int[intervals.size()];
    int[] ofInterval = new int[occurring];
    int request = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = intervals.count(i);
      Arrays.fill(ofInterval, 0);
      for (int end = request + counts[i]; request < end; request++) {
        ofInterval[places[bucket(series.durationNanos(request))]]++;
      }
      int below = 0;
      for (int place = 0; place < occurring; place++) {
        below += ofInterval[place];
        cumulative[place][i] = below;
      }
    }
  }

  /** Returns, by bucket number, the index among non-empty buckets, or -1. */
  private static int[] places(Series series) {
    int[] places = new int[bucket(Long.MAX_VALUE) + 1];
    Arrays.fill(places, -1);
    for (int i = 0; i < series.count(); i++) {
      places[bucket(series.durationNanos(i))] = 0;
    }
    int place = 0;
    for (int bucket = 0; bucket < places.length; bucket++) {
      if (places[bucket] == 0) {
        places[bucket] = place++;
      }
    }
    return places;
  }

  /**
   * Returns the percentile of a resample.
   *
   * @param weights how often each interval counts
   * @param share between 0 and 1, such as 0.99
   * @return nanoseconds
   */
  double percentile(int[] weights, double share) {
    double wanted = share * sum(weights, counts);
    int place = place(weights, wanted);
    double below = place == 0 ? 0 : sum(weights, cumulative[place - 1]);
    double inBucket = sum(weights, cumulative[place]) - below;
    double lowest = lowest(buckets[place]);
    double width = lowest(buckets[place] + 1) - lowest;
    return lowest + width * Math.min(1, Math.max(0, (wanted - below) / inBucket));
  }

  /**
   * Returns, for each interval, the share of requests up to the bucket of the series' own
   * percentile: the series whose dependence widens the percentile's interval.
   */
  double[] sharesUpTo(double share) {
    int[] once = new int[counts.length];
    Arrays.fill(once, 1);
    int[] upTo = cumulative[place(once, share * sum(once, counts))];
    double[] shares = new double[counts.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (double) upTo[i] / counts[i];
    }
    return shares;
  }

  /** Returns the first index up to which at least the wanted number of requests lies. */
  private int place(int[] weights, double wanted) {
    int low = 0;
    int high = cumulative.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sum(weights, cumulative[middle]) >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static long sum(int[] weights, int[] of) {
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += (long) weights[i] * of[i];
    }
    return sum;
  }

  /** Returns the bucket of a time: exact up to 511 ns, then 256 per doubling. */
  static int bucket(long nanos) {
    int shift = Math.max(0, Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(nanos | 1));
    return shift * SUB_BUCKETS + (int) (nanos >>> shift);
  }

  /** Returns the shortest time of a bucket, nanoseconds. */
  static double lowest(int bucket) {
    int shift = Math.max(0, (bucket >>> SUB_BITS) - 1);
    return Math.scalb((double) (bucket - shift * SUB_BUCKETS), shift);
  }
}
