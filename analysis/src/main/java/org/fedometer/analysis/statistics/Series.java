package org.fedometer.analysis.statistics;

import java.util.Objects;

/**
 * What one run's requests say: their service times in order of completion. Two longs a request, so
 * that ten million take 160 MB; parts of it are views. Immutable once made, safe on any thread.
 *
 * <p>Times are nanoseconds of one clock with any origin. Who makes a series leaves out requests
 * that failed, and takes pauses and outages off the times beforehand: the time between two
 * completions counts in full.
 */
public final class Series {
  private final long[] completionNanos;
  private final long[] durationNanos;

  private final int from;

  private final int to;

  /** When the first of its requests could begin: what the first interval's time counts from. */
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

  /** As {@link #of(long[], long[], long)}, with the resolution that the times show. */
  public static Series of(long[] startNanos, long[] durationNanos) {
    return of(startNanos, durationNanos, Resolution.of(durationNanos, 1));
  }

  /**
   * Takes the arrays over: they are sorted in place if need be, and must not be touched again.
   *
   * @param startNanos when each request began, nanoseconds of one clock, in any order
   * @param durationNanos service time of each, 0 or more
   * @param resolutionNanos how exactly service times were measured, 1 or more
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

  /** How exactly service times were measured, nanoseconds, 1 or more. */
  public long resolutionNanos() {
    return resolutionNanos;
  }

  /** How many requests there are, 1 or more. */
  public int count() {
    return to - from;
  }

  /**
   * How many objects were loaded before the first request of this series. What was in the
   * repository before the run is not known, and counts as nothing.
   */
  public long objectsBefore() {
    return from;
  }

  /** Service time of request {@code index}, counted from 0 in order of completion. */
  public long durationNanos(int index) {
    return durationNanos[from + Objects.checkIndex(index, count())];
  }

  /** When request {@code index} was completed. */
  public long completionNanos(int index) {
    return completionNanos[from + Objects.checkIndex(index, count())];
  }

  /**
   * When the first of its requests was sent, which need not be the first that was completed; of a
   * part of a series the completion right before it.
   */
  public long beginNanos() {
    return beginNanos;
  }

  /** From {@link #beginNanos} to the last completion. */
  public long elapsedNanos() {
    return completionNanos[to - 1] - beginNanos;
  }

  public Series from(int first) {
    return slice(first, count());
  }

  /**
   * A part of this series.
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
   * Cuts the series into intervals of equally many requests, up to one.
   *
   * @param max how many intervals at most, 1 or more; with fewer requests each is an interval
   */
  public Intervals intervals(int max) {
    return Intervals.of(completionNanos, durationNanos, from, to, beginNanos, max);
  }
}
