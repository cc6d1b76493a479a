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

/** Totals of each stage over the whole run. Bounded; for one thread. */
final class Stages {
  static final String OTHERS = "others";

  /** Limits the memory a hostile source can use to some megabytes. */
  private static final int MAX_STAGES = 500;

  /** Factor by which another stage must exceed one with a timeline to replace it. */
  private static final double REPLACEMENT_RATIO = 1.25;

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
    private long durationNanos;
    private long selfNanos;
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

    long durationNanos() {
      return durationNanos;
    }

    long selfNanos() {
      return selfNanos;
    }

    long maxNanos() {
      return maxNanos;
    }

    /** Returns below 0 if unknown. */
    long percentileNanos(double percentile) {
      return histogram.getTotalCount() == 0
          ? -1
          : Math.min(histogram.getValueAtPercentile(percentile), maxNanos);
    }
  }

  /** Returns a stage's number; stages beyond the limit share one. */
  int numberOf(String name) {
    String bounded = Texts.line(name, Texts.MAX_NAME_CHARACTERS);
    Integer known = numbers.get(bounded);
    if (known != null) {
      return known;
    }
    String stageName = all.size() < MAX_STAGES - 1 ? bounded : OTHERS;
    return numbers.computeIfAbsent(
        stageName,
        any -> {
          all.add(new OneStage(stageName, all.size()));
          return all.size() - 1;
        });
  }

  /** Adds one execution. Hot path. */
  void add(int number, long durationNanos, long selfNanos, boolean failed) {
    long recordable = Rollups.recordable(durationNanos);
    add(number, 1, failed ? 1 : 0, recordable, selfNanos, recordable);
    all.get(number).histogram.recordValue(recordable);
  }

  /** Adds many executions; {@link #addTimes} adds their histogram. */
  void add(int number, long count, long failed, long durationNanos, long selfNanos, long maxNanos) {
    OneStage stage = all.get(number);
    stage.count = saturatedAdd(stage.count, count);
    stage.failed = saturatedAdd(stage.failed, failed);
    stage.durationNanos = saturatedAdd(stage.durationNanos, durationNanos);
    stage.selfNanos = saturatedAdd(stage.selfNanos, selfNanos);
    stage.maxNanos = Math.max(stage.maxNanos, maxNanos);
    changed.add(number);
  }

  void addTimes(int number, AbstractHistogram durationNanos) {
    all.get(number).histogram.add(durationNanos);
  }

  private static long saturatedAdd(long sum, long more) {
    long result = sum + Math.max(0, more);
    return result < 0 ? Long.MAX_VALUE : result;
  }

  void addAll(Stages other, Timeline otherTimeline, Timeline timeline) {
    for (OneStage stage : other.all) {
      int number = numberOf(stage.name);
      add(number, stage.count, stage.failed, stage.durationNanos, stage.selfNanos, stage.maxNanos);
      addTimes(number, stage.histogram);
      Sums own = otherTimeline.stages.get(stage.number);
      if (own != null) {
        timeline.addAllSelfTimes(number, own, otherTimeline);
      }
    }
  }

  int size() {
    return all.size();
  }

  boolean hasChanged() {
    return !changed.isEmpty();
  }

  List<OneStage> bySelfTime(int max) {
    return all.stream()
        .sorted(Comparator.comparingLong((OneStage stage) -> stage.selfNanos).reversed())
        .limit(max)
        .toList();
  }

  Set<Integer> takeChanged() {
    Set<Integer> result = Set.copyOf(changed);
    changed.clear();
    return result;
  }

  /** Returns whether other stages now have clearly more self time than the chosen ones. */
  boolean shouldChoose(int max) {
    if (chosen.size() < max) {
      return chosen.size() < all.size();
    }
    long min = chosen.stream().mapToLong(number -> all.get(number).selfNanos).min().orElse(0);
    Set<Integer> places = new HashSet<>(chosen);
    return all.stream()
        .anyMatch(
            stage -> !places.contains(stage.number) && stage.selfNanos > min * REPLACEMENT_RATIO);
  }

  List<Integer> choose(int max) {
    chosen = bySelfTime(max).stream().map(OneStage::number).toList();
    return chosen;
  }

  List<Integer> chosen() {
    return chosen;
  }

  String nameOf(int number) {
    return all.get(number).name;
  }
}
