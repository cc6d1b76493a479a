package org.fedometer.collector.dashboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.PackedHistogram;
import org.fedometer.store.rollup.Rollups;

/** What each stage has done in the whole run. Bounded, for one thread. */
final class Stages {
  static final String OTHERS = "others";

  /** What a hostile source may make of them: some megabytes. */
  private static final int MOST_STAGES = 500;

  /** Of those whose course is told, how much more another must have before it takes a place. */
  private static final double CLEARLY_MORE = 1.25;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<OneStage> all = new ArrayList<>();
  private final Set<Integer> changed = new HashSet<>();
  private List<Integer> chosen = List.of();

  static final class OneStage {
    private final String name;
    private final int number;
    private final PackedHistogram histogram = Latencies.empty();
    private long count;
    private long failed;
    private long totalNanos;
    private long ownNanos;
    private long maxNanos;

    private OneStage(String name, int number) {
      this.name = name;
      this.number = number;
    }

    String name() {
      return name;
    }

    int number() {
      return number;
    }

    long count() {
      return count;
    }

    long failed() {
      return failed;
    }

    long totalNanos() {
      return totalNanos;
    }

    long ownNanos() {
      return ownNanos;
    }

    long maxNanos() {
      return maxNanos;
    }

    /** Below 0 where it is not known. */
    long percentileNanos(double percentile) {
      return histogram.getTotalCount() == 0
          ? -1
          : Math.min(histogram.getValueAtPercentile(percentile), maxNanos);
    }
  }

  /** The number under which a stage is known here; of one too many, that of all such. */
  int numberOf(String name) {
    String bounded = Texts.line(name, Texts.LONGEST_NAME);
    Integer known = numbers.get(bounded);
    if (known != null) {
      return known;
    }
    String kept = all.size() < MOST_STAGES - 1 ? bounded : OTHERS;
    return numbers.computeIfAbsent(
        kept,
        any -> {
          all.add(new OneStage(kept, all.size()));
          return all.size() - 1;
        });
  }

  /** Adds one execution. For a hot loop. */
  void add(int number, long totalNanos, long ownNanos, boolean failed) {
    long recordable = Rollups.recordable(totalNanos);
    add(number, 1, failed ? 1 : 0, recordable, ownNanos, recordable);
    all.get(number).histogram.recordValue(recordable);
  }

  /** Adds many executions; their histogram comes by {@link #addTimes}. */
  void add(int number, long count, long failed, long totalNanos, long ownNanos, long maxNanos) {
    OneStage stage = all.get(number);
    stage.count = plus(stage.count, count);
    stage.failed = plus(stage.failed, failed);
    stage.totalNanos = plus(stage.totalNanos, totalNanos);
    stage.ownNanos = plus(stage.ownNanos, ownNanos);
    stage.maxNanos = Math.max(stage.maxNanos, maxNanos);
    changed.add(number);
  }

  void addTimes(int number, AbstractHistogram totalNanos) {
    all.get(number).histogram.add(totalNanos);
  }

  private static long plus(long sum, long more) {
    long result = sum + Math.max(0, more);
    return result < 0 ? Long.MAX_VALUE : result;
  }

  void addAll(Stages other, Course otherCourse, Course course) {
    for (OneStage stage : other.all) {
      int number = numberOf(stage.name);
      add(number, stage.count, stage.failed, stage.totalNanos, stage.ownNanos, stage.maxNanos);
      addTimes(number, stage.histogram);
      Sums own = otherCourse.stages.get(stage.number);
      if (own != null) {
        course.addAllOwnTimes(number, own, otherCourse);
      }
    }
  }

  int size() {
    return all.size();
  }

  boolean hasChanged() {
    return !changed.isEmpty();
  }

  List<OneStage> byOwnTime(int most) {
    return all.stream()
        .sorted(Comparator.comparingLong((OneStage stage) -> stage.ownNanos).reversed())
        .limit(most)
        .toList();
  }

  Set<Integer> takeChanged() {
    Set<Integer> result = Set.copyOf(changed);
    changed.clear();
    return result;
  }

  /** Whether others have clearly more own time by now than those chosen. */
  boolean shouldChoose(int most) {
    if (chosen.size() < most) {
      return chosen.size() < all.size();
    }
    long least = chosen.stream().mapToLong(number -> all.get(number).ownNanos).min().orElse(0);
    Set<Integer> places = new HashSet<>(chosen);
    return all.stream()
        .anyMatch(stage -> !places.contains(stage.number) && stage.ownNanos > least * CLEARLY_MORE);
  }

  List<Integer> choose(int most) {
    chosen = byOwnTime(most).stream().map(OneStage::number).toList();
    return chosen;
  }

  List<Integer> chosen() {
    return chosen;
  }

  String nameOf(int number) {
    return all.get(number).name;
  }
}
