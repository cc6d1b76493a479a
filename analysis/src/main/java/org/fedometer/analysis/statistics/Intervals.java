package org.fedometer.analysis.statistics;

/**
 * A series split into intervals of consecutive requests, whose sizes differ by at most one.
 * Immutable, safe on any thread.
 */
public final class Intervals {
  private final int requests;
  private final double[] sumNanos;
  private final double[] elapsedNanos;

  private Intervals(int requests, double[] sumNanos, double[] elapsedNanos) {
    this.requests = requests;
    this.sumNanos = sumNanos;
    this.elapsedNanos = elapsedNanos;
  }

  static Intervals of(
      long[] completionNanos, long[] durationNanos, int from, int to, long beginNanos, int max) {
    if (max < 1) {
      throw new IllegalArgumentException("A series has one interval at least, not " + max + ".");
    }
    int requests = to - from;
    int size = Math.min(max, requests);
    double[] sums = new double[size];
    double[] elapsed = new double[size];
    long before = beginNanos;
    int request = from;
    for (int i = 0; i < size; i++) {
      int end = from + boundary(i + 1, size, requests);
      double sum = 0;
      for (; request < end; request++) {
        sum += durationNanos[request];
      }
      sums[i] = sum;
      elapsed[i] = completionNanos[end - 1] - before;
      before = completionNanos[end - 1];
    }
    return new Intervals(requests, sums, elapsed);
  }

  private static int boundary(int interval, int size, int requests) {
    return (int) ((long) interval * requests / size);
  }

  public int size() {
    return sumNanos.length;
  }

  /** Returns the first request of an interval, from 0 in the series; also accepts the end. */
  public int first(int interval) {
    return boundary(interval, size(), requests);
  }

  /** Returns the number of requests in an interval, at least 1. */
  public int count(int interval) {
    return first(interval + 1) - first(interval);
  }

  /** Returns the sum of service times in an interval, nanoseconds. */
  public double sumNanos(int interval) {
    return sumNanos[interval];
  }

  /** Returns the mean service time in an interval, nanoseconds. */
  public double meanNanos(int interval) {
    return sumNanos[interval] / count(interval);
  }

  /**
   * Returns the time from the last completion before an interval to its own last, nanoseconds; at
   * least 0.
   */
  public double elapsedNanos(int interval) {
    return elapsedNanos[interval];
  }

  /** Returns mean service times of all intervals, nanoseconds. */
  public double[] means() {
    double[] means = new double[size()];
    for (int i = 0; i < means.length; i++) {
      means[i] = meanNanos(i);
    }
    return means;
  }
}
