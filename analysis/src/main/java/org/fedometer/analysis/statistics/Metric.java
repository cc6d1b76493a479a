package org.fedometer.analysis.statistics;

/** A metric for comparing the requests of runs' steady parts. */
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

  /** Returns the name in files and on the command line. */
  public String jsonName() {
    return jsonName;
  }

  /** Returns whether a ratio above 1 favors the contender. */
  public boolean higherIsBetter() {
    return higherIsBetter;
  }
}
