package org.fedometer.analysis.statistics;

import java.util.Objects;

/**
 * One run's service times in order of completion. Two longs per request, so ten million need 160
 * MB; parts are views. Immutable, safe on any thread.
 *
 * <p>Times are nanoseconds of one clock with any origin. The creator excludes failed requests, and
 * subtracts pauses and outages beforehand: the time between two completions counts in full.
 */
public final class Series {
  private final long[] completionNanos;
  private final long[] durationNanos;

  private final int from;

  private final int to;

  /** When the first of its requests could begin, the start of the first interval's time. */
  private final long beginNanos;

  private final long resolutionNanos;

  private Series(
      long[] completionNanos,
      long[] durationNanos,
      int from,
      int to,
      long beginNanos,
      long resolutionNanos) {
    this.completionNanos = completionNanos;
    this.durationNanos = durationNanos;
    this.from = from;
    this.to = to;
    this.beginNanos = beginNanos;
    this.resolutionNanos = resolutionNanos;
  }

  /** As {@link #of(long[], long[], long)}, with the resolution found in the times. */
  public static Series of(long[] startNanos, long[] durationNanos) {
    return of(startNanos, durationNanos, Resolution.of(durationNanos, 1));
  }

  /**
   * Creates a series from the arrays, which may be sorted in place and must not be used afterwards.
   *
   * @param startNanos start of each request, nanoseconds of one clock, in any order
   * @param durationNanos service time of each, at least 0
   * @param resolutionNanos resolution of service times, at least 1
   * @throws IllegalArgumentException if there is no request, if the arrays differ in length, or if
   *     a duration is negative
   */
  public static Series of(long[] startNanos, long[] durationNanos, long resolutionNanos) {
    Objects.requireNonNull(startNanos);
    Objects.requireNonNull(durationNanos);
    if (startNanos.length != durationNanos.length || startNanos.length == 0) {
      throw new IllegalArgumentException(
          "A series needs as many starts as durations, and one at least, but there are "
              + startNanos.length
              + " and "
              + durationNanos.length
              + ".");
    }
    long begin = Long.MAX_VALUE;
    for (int i = 0; i < startNanos.length; i++) {
      if (durationNanos[i] < 0) {
        throw new IllegalArgumentException(
            "Request " + i + " took " + durationNanos[i] + " ns; a service time is 0 or more.");
      }
      begin = Math.min(begin, startNanos[i]);
      startNanos[i] += durationNanos[i];
    }
    CompletionOrder.sort(startNanos, durationNanos);
    return new Series(startNanos, durationNanos, 0, startNanos.length, begin, resolutionNanos);
  }

  /** Returns the resolution of service times, nanoseconds, at least 1. */
  public long resolutionNanos() {
    return resolutionNanos;
  }

  /** Returns the number of requests, at least 1. */
  public int count() {
    return to - from;
  }

  /**
   * Returns the number of objects loaded before the first request of this series. Objects in the
   * repository before the run are unknown and not counted.
   */
  public long objectsBefore() {
    return from;
  }

  /** Returns the service time of request {@code index}, from 0 in order of completion. */
  public long durationNanos(int index) {
    return durationNanos[from + Objects.checkIndex(index, count())];
  }

  /** Returns the completion of request {@code index}. */
  public long completionNanos(int index) {
    return completionNanos[from + Objects.checkIndex(index, count())];
  }

  /**
   * Returns the earliest start of its requests, which need not be that of the first completed; for
   * a part of a series, the preceding completion.
   */
  public long beginNanos() {
    return beginNanos;
  }

  /** Returns the time from {@link #beginNanos} to the last completion. */
  public long elapsedNanos() {
    return completionNanos[to - 1] - beginNanos;
  }

  public Series from(int first) {
    return slice(first, count());
  }

  /**
   * Returns a part of this series.
   *
   * @param first its first request
   * @param end the request after its last; more than {@code first}
   */
  public Series slice(int first, int end) {
    Objects.checkFromToIndex(first, end, count());
    if (first == end) {
      throw new IllegalArgumentException("A part of a series needs one request at least.");
    }
    long begin = first == 0 ? beginNanos : completionNanos[from + first - 1];
    return new Series(
        completionNanos, durationNanos, from + first, from + end, begin, resolutionNanos);
  }

  /**
   * Splits the series into intervals whose sizes differ by at most one.
   *
   * @param max maximum number of intervals, at least 1; with fewer requests each is an interval
   */
  public Intervals intervals(int max) {
    return Intervals.of(completionNanos, durationNanos, from, to, beginNanos, max);
  }
}
