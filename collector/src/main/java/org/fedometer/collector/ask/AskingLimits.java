package org.fedometer.collector.ask;

import java.time.Duration;

/**
 * What readers may use of a collector.
 *
 * @param atOnce questions that are answered at the same time; others wait
 * @param memoryBytes of the process that answers a statement, all included; 256 MiB or more
 * @param spillBytes of disk, for what of a statement does not fit into memory
 * @param time for a question, from when it is its turn
 * @param stillness how long a reader may take nothing of its answer while others wait for their
 *     turn
 */
public record AskingLimits(
    int atOnce, long memoryBytes, long spillBytes, Duration time, Duration stillness) {
  public static AskingLimits defaults() {
    return new AskingLimits(2, 512L << 20, 4L << 30, Duration.ofMinutes(5), Duration.ofSeconds(60));
  }

  public AskingLimits withTime(Duration value) {
    return new AskingLimits(atOnce, memoryBytes, spillBytes, value, stillness);
  }

  public AskingLimits withStillness(Duration value) {
    return new AskingLimits(atOnce, memoryBytes, spillBytes, time, value);
  }
}
