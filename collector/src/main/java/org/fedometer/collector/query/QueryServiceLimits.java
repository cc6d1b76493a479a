package org.fedometer.collector.query;

import java.time.Duration;

/**
 * What readers may use of a collector.
 *
 * @param maxConcurrent questions that are answered at the same time; others wait
 * @param memoryBytes of the process that answers a statement, all included; 256 MiB or more
 * @param spillBytes of disk, for what of a statement does not fit into memory
 * @param timeLimit for a question, from when it is its turn
 * @param stallTimeout how long a reader may take nothing of its answer while others wait for their
 *     turn
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
