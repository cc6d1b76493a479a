package org.fedometer.driver.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.IngestResult;

/**
 * Result of a scale study.
 *
 * @param sizes in ascending order, each twice the one before; incomplete if the study ended early
 * @param ingest all ingests together, with their end
 */
public record ScaleStudyResult(List<Size> sizes, IngestResult ingest) {

  /** An operation on the whole collection while Fedora is stopped; all others are requests. */
  public static final String BATCH_INDEX = "batch-index";

  /** Nielsen's limits: instantaneous response, uninterrupted thought, and attention. */
  public static final List<Double> LIMITS_MILLIS = List.of(100.0, 1_000.0, 10_000.0);

  /**
   * @param timings by the operation's name, in the order of {@code Operation}
   * @param startNanos {@code System.nanoTime()} at that size, before the first timing
   */
  public record Size(long objects, Map<String, Timing> timings, long startNanos) {
    Size with(String operation, Timing timing) {
      Map<String, Timing> more = new LinkedHashMap<>(timings);
      more.put(operation, timing);
      return new Size(objects, more, startNanos);
    }
  }

  /**
   * One operation at one size; times are zero if none succeeded.
   *
   * @param count number of successes
   * @param failed number of failures
   */
  public record Timing(
      int count, int failed, double meanMillis, double minMillis, double maxMillis) {

    static Timing of(List<Long> nanos, int failed) {
      return nanos.isEmpty()
          ? new Timing(0, failed, 0, 0, 0)
          : new Timing(
              nanos.size(),
              failed,
              nanos.stream().mapToLong(Long::longValue).average().orElse(0) / 1e6,
              nanos.stream().mapToLong(Long::longValue).min().orElse(0) / 1e6,
              nanos.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6);
    }
  }

  public ScaleStudyResult {
    sizes = List.copyOf(sizes);
  }

  /**
   * Returns the sizes from which on an operation's mean exceeds a limit, at all larger measured
   * sizes, so that one slow moment does not count.
   *
   * @return the size in objects by operation, without operations that stay below
   */
  public Map<String, Long> exceededFrom(double limitMillis) {
    Map<String, Long> exceeded = new LinkedHashMap<>();
    for (Size size : sizes) {
      size.timings()
          .forEach(
              (operation, timing) -> {
                if (timing.count() == 0) {
                  return;
                }
                if (timing.meanMillis() > limitMillis) {
                  exceeded.putIfAbsent(operation, size.objects());
                } else {
                  exceeded.remove(operation);
                }
              });
    }
    return exceeded;
  }

  /**
   * Returns this result with the time of a batch that indexes the collection, one timing per size.
   *
   * @param nanos by size; a missing size was not reached, and counts as failed
   */
  public ScaleStudyResult withBatchIndex(Map<Long, Long> nanos) {
    return new ScaleStudyResult(
        sizes.stream()
            .map(
                size -> {
                  Long took = nanos.get(size.objects());
                  return size.with(
                      BATCH_INDEX,
                      took == null ? Timing.of(List.of(), 1) : Timing.of(List.of(took), 0));
                })
            .toList(),
        ingest);
  }

  public long failed() {
    return sizes.stream()
        .flatMap(size -> size.timings().values().stream())
        .mapToLong(Timing::failed)
        .sum();
  }
}
