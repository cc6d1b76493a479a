package org.fedometer.analysis.statistics;

/**
 * The metrics of one run, or of a part of it. Immutable, safe on any thread.
 *
 * @param count number of requests, at least 1
 * @param throughputPerSecond requests completed per second; NaN if no time passed
 * @param meanNanos arithmetic mean of the service times
 * @param p99Nanos 99th percentile; the longest of fewer than 100 requests
 */
public record RunStatistics(
    long count,
    double throughputPerSecond,
    double meanNanos,
    double p50Nanos,
    double p95Nanos,
    double p99Nanos,
    Exactness exactness) {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Precision of times. A time may be rounded up, down or to the nearest multiple of the
   * resolution, so its error is less than the resolution in either direction.
   *
   * @param resolutionNanos at least 1
   * @param spread whether times differ by more than the resolution; then rounding affects the mean
   *     of every run alike
   * @param addedTimes whether elapsed time is the sum of the times, with the same precision
   */
  public record Exactness(long resolutionNanos, boolean spread, boolean addedTimes) {

    /** Precision of times in nanoseconds. */
    public static final Exactness NANOS = new Exactness(1, true, false);
  }

  /**
   * Computes the metrics. Percentiles are exact: the value of the nearest rank, {@code ceil(p n)},
   * a time that occurred.
   */
  public static RunStatistics of(Series series) {
    double sum = 0;
    for (int i = 0; i < series.count(); i++) {
      sum += series.durationNanos(i);
    }
    double mean = sum / series.count();
    double squares = 0;
    for (int i = 0; i < series.count(); i++) {
      squares += Math.pow(series.durationNanos(i) - mean, 2);
    }
    long elapsed = series.elapsedNanos();
    boolean spread = Math.sqrt(squares / series.count()) >= series.resolutionNanos();
    return new RunStatistics(
        series.count(),
        elapsed == 0 ? Double.NaN : series.count() * NANOS_PER_SECOND / elapsed,
        mean,
        Percentiles.nearestRank(series, 50),
        Percentiles.nearestRank(series, 95),
        Percentiles.nearestRank(series, 99),
        new Exactness(series.resolutionNanos(), spread, elapsed == sum));
  }

  public double value(Metric metric) {
    return switch (metric) {
      case THROUGHPUT -> throughputPerSecond;
      case MEAN -> meanNanos;
      case P50 -> p50Nanos;
      case P95 -> p95Nanos;
      case P99 -> p99Nanos;
    };
  }

  /** Returns whether the value is above 0, so that ratios are possible. */
  boolean isKnown(Metric metric) {
    return value(metric) > 0;
  }

  /** Returns the bounds of the value due to the resolution: from 0, to infinity. */
  Bounds possible(Metric metric) {
    double value = value(metric);
    if (metric == Metric.THROUGHPUT) {
      if (Double.isNaN(value)) {
        return new Bounds(0, Double.POSITIVE_INFINITY);
      }
      Bounds mean = possible(Metric.MEAN);
      return exactness.addedTimes()
          ? new Bounds(NANOS_PER_SECOND / mean.high(), NANOS_PER_SECOND / mean.low())
          : new Bounds(value, value);
    }
    if (exactness.resolutionNanos() == 1 && value > 0) {
      return new Bounds(value, value);
    }
    long resolution = exactness.resolutionNanos();
    return new Bounds(Math.max(0, value - resolution), value + resolution);
  }

  /** Returns the natural logarithm of a known value. */
  double logarithm(Metric metric) {
    return Math.log(value(metric));
  }

  /**
   * Returns the natural logarithm of a value or its resample, only for errors: half of the
   * resolution replaces smaller values, and a request per nanosecond replaces an unknown rate.
   */
  double logarithmForError(Metric metric, double value) {
    return Math.log(
        metric == Metric.THROUGHPUT
            ? value < NANOS_PER_SECOND ? value : NANOS_PER_SECOND
            : Math.max(value, exactness.resolutionNanos() / 2.0));
  }
}
