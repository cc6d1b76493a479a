package org.fedometer.analysis.study;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fedometer.store.RunView;

/**
 * Growth of each operation's time with the collection, from {@code scale-study.json} of a run's
 * folder. Immutable, safe on any thread.
 *
 * @param sizes of the collection in objects, ascending
 * @param operations in the order of the file
 */
public record ScaleStudy(List<Long> sizes, List<Operation> operations) {
  public static final String PATH = "scale-study.json";

  /** Nielsen's limits: an instant response, no break in thought, the end of attention. */
  public static final List<Double> LIMITS_MILLIS = List.of(100.0, 1_000.0, 10_000.0);

  static final int MAX_SIZES = 64;
  static final int MAX_OPERATIONS = 40;
  private static final int MAX_NAME_LENGTH = 60;

  public ScaleStudy {
    sizes = List.copyOf(sizes);
    operations = List.copyOf(operations);
  }

  /**
   * An operation at one size.
   *
   * @param count successful executions; times are zero without any
   * @param failed abandoned executions
   */
  public record Timing(
      long objects,
      long count,
      long failed,
      double meanMillis,
      double minMillis,
      double maxMillis) {}

  /**
   * @param timings by size, ascending; omits sizes at which it was not timed
   */
  public record Operation(String name, List<Timing> timings) {
    public Operation {
      timings = List.copyOf(timings);
    }

    /**
     * Returns the break-even size, from which the mean exceeds the limit at every measured size, so
     * that a single outlier does not count.
     *
     * @return objects; null if the mean stays below, or without successes
     */
    public Long passes(double limitMillis) {
      Long passes = null;
      for (Timing timing : timings) {
        if (timing.count() > 0) {
          boolean above = timing.meanMillis() > limitMillis;
          passes = !above ? null : passes == null ? (Long) timing.objects() : passes;
        }
      }
      return passes;
    }

    /** Returns whether any execution succeeded. */
    public boolean isTimed() {
      return timings.stream().anyMatch(timing -> timing.count() > 0);
    }

    /** Returns the number of abandoned executions, over all sizes. */
    public long failed() {
      return timings.stream().mapToLong(Timing::failed).sum();
    }
  }

  /** Returns empty for a run without such a study. */
  public static Optional<StudyResult<ScaleStudy>> of(RunView run) {
    return StudyFile.read(run, PATH, ScaleStudy::of);
  }

  static ScaleStudy of(JsonNode document) throws IOException {
    TreeSet<Long> sizes = new TreeSet<>();
    Map<String, TreeMap<Long, Timing>> operations = new LinkedHashMap<>();
    for (JsonNode entry : StudyFile.list(document, "timings", MAX_SIZES * MAX_OPERATIONS)) {
      String name = StudyFile.text(entry, "operation", MAX_NAME_LENGTH);
      if (name == null) {
        throw new IOException("a timing has no operation");
      }
      Timing timing =
          new Timing(
              StudyFile.count(entry, "objects", 1, StudyFile.MAX_OBJECTS),
              StudyFile.count(entry, "count", 0, Integer.MAX_VALUE),
              StudyFile.count(entry, "failed", 0, Integer.MAX_VALUE),
              StudyFile.millis(entry, "meanMillis"),
              StudyFile.millis(entry, "minMillis"),
              StudyFile.millis(entry, "maxMillis"));
      sizes.add(timing.objects());
      if (operations.computeIfAbsent(name, none -> new TreeMap<>()).put(timing.objects(), timing)
          != null) {
        throw new IOException("an operation is timed twice at one size");
      }
    }
    if (sizes.size() > MAX_SIZES || operations.size() > MAX_OPERATIONS) {
      throw new IOException(
          "it has more than %d sizes or %d operations".formatted(MAX_SIZES, MAX_OPERATIONS));
    }
    List<Operation> list = new ArrayList<>();
    operations.forEach(
        (name, timings) -> list.add(new Operation(name, List.copyOf(timings.values()))));
    return new ScaleStudy(List.copyOf(sizes), list);
  }

  public long minObjects() {
    return sizes.get(0);
  }

  public long maxObjects() {
    return sizes.get(sizes.size() - 1);
  }
}
