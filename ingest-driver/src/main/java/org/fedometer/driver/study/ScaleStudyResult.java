package org.fedometer.driver.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.driver.IngestResult;

/**
 * What a scale study measured.
 *
 * @param sizes in ascending order, each twice the one before; fewer than asked for if the study
 *     ended early
 * @param ingest all that was ingested, and how it ended
 */
public record ScaleStudyResult(List<Size> sizes, IngestResult ingest) {

  /** An operation on the whole collection while Fedora is stopped; all others are requests. */
  public static final String BATCH_INDEX = "batch-index";

  /** Nielsen's limits: an answer at once, no break in thought, the end of attention. */
  public static final List<Double> LIMITS_MILLIS = List.of(100.0, 1_000.0, 10_000.0);

  /**
   * @param timings by the operation's name, in the order of {@code Operation}
   * @param startNanos {@code System.nanoTime()} when the collection had that size and nothing was
   *     timed yet
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
   * @param count how many succeeded
   * @param failed how many were given up
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
   * From which size on an operation's mean is above a limit: at that size and all larger ones that
   * were measured, so that one slow moment does not count.
   *
   * @return for each operation the size in objects; none is there for one that stays below
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
   * The same with the time of a batch that indexes the collection: one timing a size.
   *
   * @param nanos by size; a size that is not among them was not reached, which counts as failed
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
