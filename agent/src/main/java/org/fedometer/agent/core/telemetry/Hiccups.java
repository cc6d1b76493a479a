package org.fedometer.agent.core.telemetry;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.fedometer.agent.core.threads.DaemonThreads;

/**
 * Measures how long a runnable thread waits to run: a thread sleeps a short time repeatedly and
 * measures its wake-up delay. This detects stops by the JVM and by the machine. The idea is from
 * jHiccup.
 *
 * <p>The telemetry thread starts, reads and ends it.
 */
final class Hiccups implements Runnable {

  /** A stop is detected if it is longer than the rest of the sleep at its start. */
  static final long SLEEP_NANOS = 5_000_000;

  /** 8 buckets per doubling: an error of at most one eighth. */
  private static final int STEP_BITS = 3;

  private static final int STEPS = 1 << STEP_BITS;

  private final Thread thread = DaemonThreads.daemon("fedometer-hiccups", this);
  private volatile boolean ended;

  // Since the last reading; guarded by this.
  private int[] counts = new int[STEPS * Long.SIZE];
  private int[] spareCounts = new int[STEPS * Long.SIZE];
  private long maxNanos;

  /** Since the beginning; guarded by this. */
  private long sumNanos;

  void start() {
    thread.start();
  }

  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    long before = System.nanoTime();
    while (!ended) {
      LockSupport.parkNanos(SLEEP_NANOS);
      long now = System.nanoTime();
      recordWakeUp(now - before - SLEEP_NANOS);
      before = now;
    }
  }

  /**
   * @param lateNanos negative after a spurious wake-up
   */
  synchronized void recordWakeUp(long lateNanos) {
    long late = Math.max(0, lateNanos);
    maxNanos = Math.max(maxNanos, late);
    sumNanos += late;
    counts[bucketOf(late)]++;
    // Threads that would have started to sleep meanwhile have waited too, each a little less.
    for (long left = late - SLEEP_NANOS; left > 0; left -= SLEEP_NANOS) {
      counts[bucketOf(left)]++;
    }
  }

  /** Emits the delays since the last call. */
  void read(long atNanos, TelemetrySink sink) {
    int[] current;
    long max;
    long sum;
    synchronized (this) {
      current = counts;
      counts = spareCounts;
      spareCounts = current;
      max = maxNanos;
      maxNanos = 0;
      sum = sumNanos;
    }
    try {
      sink.value(atNanos, "jvm.hiccup.max", "s", seconds(max));
      sink.value(atNanos, "jvm.hiccup.p99", "s", seconds(Math.min(max, quantile(current, 0.99))));
      sink.value(atNanos, "jvm.hiccup.time", "s", seconds(sum));
    } finally {
      // Also if the sink had no memory: they are the next reading's spare ones.
      Arrays.fill(current, 0);
    }
  }

  private static long quantile(int[] histogram, double share) {
    long all = 0;
    for (int count : histogram) {
      all += count;
    }
    long rank = (long) Math.ceil(share * all);
    int bucket = 0;
    for (long seen = histogram[0]; seen < rank; seen += histogram[bucket]) {
      bucket++;
    }
    return all == 0 ? 0 : maxOf(bucket);
  }

  static int bucketOf(long nanos) {
    if (nanos < STEPS) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - STEP_BITS;
    return (shift << STEP_BITS) + (int) (nanos >>> shift);
  }

  /** Returns the longest wait in this bucket. */
  static long maxOf(int bucket) {
    if (bucket < 2 * STEPS) {
      return bucket;
    }
    int shift = (bucket >> STEP_BITS) - 1;
    return ((long) (STEPS + (bucket & STEPS - 1)) + 1 << shift) - 1;
  }

  private static double seconds(long nanos) {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
