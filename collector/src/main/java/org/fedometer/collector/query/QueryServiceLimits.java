package org.fedometer.collector.query;

import java.time.Duration;

/**
 * Limits of readers' queries.
 *
 * @param maxConcurrent concurrent queries; others wait
 * @param memoryBytes of a statement's process, everything included; at least 256 MiB
 * @param spillBytes disk space of a statement
 * @param timeLimit time of a query, without waiting
 * @param stallTimeout how long a reader may read nothing of its response while other queries wait
 */
public record QueryServiceLimits(
    int maxConcurrent,
    long memoryBytes,
    long spillBytes,
    Duration timeLimit,
    Duration stallTimeout) {
  public static QueryServiceLimits defaults() {
    return new QueryServiceLimits(
        2, 512L << 20, 4L << 30, Duration.ofMinutes(5), Duration.ofSeconds(60));
  }

  public QueryServiceLimits withTimeLimit(Duration value) {
    return new QueryServiceLimits(maxConcurrent, memoryBytes, spillBytes, value, stallTimeout);
  }

  public QueryServiceLimits withStallTimeout(Duration value) {
    return new QueryServiceLimits(maxConcurrent, memoryBytes, spillBytes, timeLimit, value);
  }
}
