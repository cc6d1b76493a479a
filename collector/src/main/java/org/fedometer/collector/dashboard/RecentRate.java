package org.fedometer.collector.dashboard;

import java.util.Arrays;

/** Rate per second over the last minute, with a resolution of a second. For one thread. */
final class RecentRate {
  private static final int SECONDS = 60;

  private final long[] counts = new long[2 * SECONDS];
  private long newest = Long.MIN_VALUE;
  private long oldest = Long.MAX_VALUE;

  void add(long epochSeconds) {
    if (newest == Long.MIN_VALUE || epochSeconds - newest >= counts.length) {
      Arrays.fill(counts, 0);
      newest = epochSeconds;
    }
    if (newest - epochSeconds >= counts.length) {
      return;
    }
    while (newest < epochSeconds) {
      newest++;
      counts[(int) Math.floorMod(newest, (long) counts.length)] = 0;
    }
    oldest = Math.min(oldest, epochSeconds);
    counts[(int) Math.floorMod(epochSeconds, (long) counts.length)]++;
  }

  /**
   * Returns the mean over full seconds, without the newest one; 0 after a minute without events.
   */
  double perSecond(long nowEpochSeconds) {
    if (newest == Long.MIN_VALUE || nowEpochSeconds - newest > SECONDS) {
      return 0;
    }
    // Events that are a few seconds late do not count as a standstill.
    long end = Math.max(newest, nowEpochSeconds - 5);
    long begin = Math.max(oldest, end - SECONDS);
    if (begin >= end) {
      return counts[(int) Math.floorMod(newest, (long) counts.length)];
    }
    long sum = 0;
    for (long second = begin; second < Math.min(end, newest + 1); second++) {
      sum += counts[(int) Math.floorMod(second, (long) counts.length)];
    }
    return (double) sum / (end - begin);
  }
}
