package org.fedometer.analysis.statistics;

/** What two runs are compared by: a figure of the requests of a run's steady part. */
public enum Metric {
  /** Requests completed per second; more is better. */
  THROUGHPUT("throughput", true),
  /** Arithmetic mean of the service times, in nanoseconds; less is better. */
  MEAN("mean", false),
  /** Median of the service times, in nanoseconds; less is better. */
  P50("p50", false),
  /** 95th percentile of the service times, in nanoseconds; less is better. */
  P95("p95", false),
  /** 99th percentile of the service times, in nanoseconds; less is better. */
  P99("p99", false);

  private final String jsonName;
  private final boolean higherIsBetter;

  Metric(String jsonName, boolean higherIsBetter) {
    this.jsonName = jsonName;
    this.higherIsBetter = higherIsBetter;
  }

  /** Its name in files and on the command line. */
  public String jsonName() {
    return jsonName;
  }

  /** Whether a ratio above 1 speaks for the contender. */
  public boolean higherIsBetter() {
    return higherIsBetter;
  }
}
