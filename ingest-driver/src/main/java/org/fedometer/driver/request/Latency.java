package org.fedometer.driver.request;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of times, service times if nothing else is said; zero if there was no request.
 *
 * @param count requests
 */
public record Latency(
    long count, double p50Millis, double p95Millis, double p99Millis, double maxMillis) {

  /** No request takes a day; one that did would count as one that took so long. */
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
