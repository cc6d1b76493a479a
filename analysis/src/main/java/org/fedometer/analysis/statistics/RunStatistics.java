package org.fedometer.analysis.statistics;

/**
 * The figures of one run, or of a part of it. Immutable, safe on any thread.
 *
 * @param count how many requests, 1 or more
 * @param throughputPerSecond requests completed per second; infinite if no time passed
 * @param meanNanos arithmetic mean of the service times
 * @param p50Nanos median
 * @param p95Nanos 95th percentile
 * @param p99Nanos 99th percentile; of fewer than 100 requests it is the longest
 */
public record RunStatistics(
    long count,
    double throughputPerSecond,
    double meanNanos,
    double p50Nanos,
    double p95Nanos,
    double p99Nanos) {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Works them out, percentiles exactly: each is the value of the nearest rank, {@code ceil(p n)},
   * a time that occurred.
   */
  public static RunStatistics of(Series series) {
    double sum = 0;
    for (int i = 0; i < series.count(); i++) {
      sum += series.durationNanos(i);
    }
    return new RunStatistics(
        series.count(),
        series.count() * NANOS_PER_SECOND / series.elapsedNanos(),
        sum / series.count(),
        Percentiles.nearestRank(series, 50),
        Percentiles.nearestRank(series, 95),
        Percentiles.nearestRank(series, 99));
  }

  /** The figure of this metric, in its unit. */
  public double value(Metric metric) {
    return switch (metric) {
      case THROUGHPUT -> throughputPerSecond;
      case MEAN -> meanNanos;
      case P50 -> p50Nanos;
      case P95 -> p95Nanos;
      case P99 -> p99Nanos;
    };
  }

  /**
   * Natural logarithm of the figure. A time of 0 counts as 1 ns: clocks of whole milliseconds know
   * such times, and ratios of them must stay finite.
   */
  double logarithm(Metric metric) {
    return logarithm(metric, value(metric));
  }

  static double logarithm(Metric metric, double value) {
    double bounded =
        metric == Metric.THROUGHPUT ? Math.min(value, NANOS_PER_SECOND) : Math.max(value, 1);
    return Math.log(bounded);
  }
}
