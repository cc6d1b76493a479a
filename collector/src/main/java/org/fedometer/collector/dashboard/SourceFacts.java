package org.fedometer.collector.dashboard;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/** Facts about one source of a run. For one thread. */
final class SourceFacts {
  /** Limit of names per source; further ones are ignored. */
  private static final int MAX_NAMES = 10_000;

  private static final int MAX_INDEXED = 4096;

  /** Above any real memory size or count. */
  private static final double MAX_PLAUSIBLE = 1e15;

  final UUID uuid;
  final String kind;
  final String name;

  /** Null if known from the store only. */
  final SegmentSource introduction;

  private final Map<Integer, String> stageNames = new HashMap<>();
  private final Map<Integer, Metric> metrics = new HashMap<>();
  private final Map<Metric, Reading> lastReadings = new HashMap<>();
  private int[] stageNumbers = new int[0];

  /** Executions since the source's start; below 0 if not reported. */
  long executions = -1;

  /** Samples, requests and log events counted here. */
  long counted;

  long samplesDropped;
  long framesDropped;
  long lastSeenNanos;
  boolean seen;
  double heapUsedBytes = Double.NaN;
  double heapLimitBytes = Double.NaN;
  double cpuCores = Double.NaN;
  double agentMemoryBytes = Double.NaN;
  double agentMemoryLimitBytes = Double.NaN;
  double stagesWoven = Double.NaN;
  double stagesPlanned = Double.NaN;
  long clockUncertaintyNanos = -1;

  private record Reading(long atNanos, double value) {}

  SourceFacts(UUID uuid, String kind, String name, SegmentSource introduction) {
    this.uuid = uuid;
    this.kind = Texts.line(kind, Texts.MAX_NAME_CHARACTERS);
    this.name = Texts.line(name, Texts.MAX_NAME_CHARACTERS);
    this.introduction = introduction;
  }

  void learnStages(Map<Integer, String> more) {
    if (stageNames.size() < MAX_NAMES) {
      more.forEach((id, name) -> stageNames.put(id, Texts.line(name, Texts.MAX_NAME_CHARACTERS)));
      // A stage without a name so far may have one now.
      stageNumbers = new int[0];
    }
  }

  void learnMetrics(Map<Integer, MetricDictionary.Metric> more) {
    more.forEach(
        (id, metric) -> {
          Metric shown = Metric.of(metric.name());
          if (shown != null && metrics.size() < MAX_NAMES) {
            metrics.put(id, shown);
          }
        });
  }

  int stagesNamed() {
    return stageNames.size();
  }

  /** Returns null for a metric that is not shown. */
  Metric metric(int id) {
    return metrics.get(id);
  }

  /** Returns a stage's number. Hot path. */
  int stageNumber(int stageId, Stages stages) {
    if (stageId >= MAX_INDEXED) {
      return stages.numberOf(stageName(stageId));
    }
    if (stageId >= stageNumbers.length) {
      int before = stageNumbers.length;
      stageNumbers = Arrays.copyOf(stageNumbers, Math.min(MAX_INDEXED, stageId + 64));
      Arrays.fill(stageNumbers, before, stageNumbers.length, -1);
    }
    if (stageNumbers[stageId] < 0) {
      stageNumbers[stageId] = stages.numberOf(stageName(stageId));
    }
    return stageNumbers[stageId];
  }

  private String stageName(int stageId) {
    return Rollups.nameOf(stageNames, stageId);
  }

  void update(Totals totals) {
    long sum = 0;
    for (Totals.StageTotal total : totals.stages()) {
      sum += Math.max(0, total.count());
    }
    executions = sum < 0 ? Long.MAX_VALUE : sum;
    samplesDropped = Math.max(0, totals.samplesDropped());
    framesDropped = Math.max(0, totals.framesDropped());
  }

  /** Returns {difference, seconds} since the counter's last reading; null if unknown. */
  double[] since(Metric counter, long atNanos, double value) {
    Reading before = lastReadings.put(counter, new Reading(atNanos, value));
    if (before == null || atNanos <= before.atNanos || value < before.value) {
      return null;
    }
    return new double[] {value - before.value, (atNanos - before.atNanos) / 1e9};
  }

  void note(Metric metric, double value) {
    if (value < 0 || value > MAX_PLAUSIBLE) {
      return;
    }
    switch (metric) {
      case HEAP_USED -> heapUsedBytes = value;
      case HEAP_LIMIT -> heapLimitBytes = value;
      case AGENT_MEMORY -> agentMemoryBytes = value;
      case AGENT_MEMORY_LIMIT -> agentMemoryLimitBytes = value;
      case STAGES_WOVEN -> stagesWoven = value;
      case STAGES_PLANNED -> stagesPlanned = value;
      default -> {
        // Shown in the timeline only.
      }
    }
  }

  /** Adds facts of the earlier time that only the store has. */
  SourceFacts addEarlier(SourceFacts earlier) {
    if (Double.isNaN(agentMemoryBytes)) {
      agentMemoryBytes = earlier.agentMemoryBytes;
      agentMemoryLimitBytes = earlier.agentMemoryLimitBytes;
    }
    if (Double.isNaN(stagesWoven)) {
      stagesWoven = earlier.stagesWoven;
      stagesPlanned = earlier.stagesPlanned;
    }
    return this;
  }
}
