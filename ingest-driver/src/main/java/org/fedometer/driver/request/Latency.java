package org.fedometer.driver.request;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of times, by default service times; zero without requests.
 *
 * @param count requests
 */
public record Latency(
    long count, double p50Millis, double p95Millis, double p99Millis, double maxMillis) {

  /** Longer times are capped at a day. */
  public static final long MAX_MICROS = 24L * 3600 * 1_000_000;

  /**
   * @param micros times in microseconds; not kept
   */
  public static Latency ofMicros(Histogram micros) {
    return new Latency(
        micros.getTotalCount(),
        micros.getValueAtPercentile(50) / 1000.0,
        micros.getValueAtPercentile(95) / 1000.0,
        micros.getValueAtPercentile(99) / 1000.0,
        micros.getMaxValue() / 1000.0);
  }
}
