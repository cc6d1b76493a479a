package org.fedometer.store.seal;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/** Data of one source in a segment so far, within its budget. */
final class RawSource {
  private final SegmentBudget.SourceBudget budget;
  private final Map<Integer, String> stages = new HashMap<>();
  private final Map<Integer, String> threads = new HashMap<>();
  private final Map<Integer, MetricDictionary.Metric> metrics = new HashMap<>();
  private final Map<String, EnvironmentValue> environment = new TreeMap<>();
  private final Map<Integer, StageTotals> totals = new TreeMap<>();
  private SegmentSource introduction;
  private long sequence;
  private long framesUnreadable;
  private long samplesDropped;
  private long framesDropped;
  private long tracesDropped;
  private long stagesSkipped;
  private long threadsRefused;
  private boolean finished;
  private long logEventsAssumed;

  /**
   * @param sequence of the frame with the value
   */
  record EnvironmentValue(long sequence, String value) {}

  record StageTotals(long sequence, Totals.StageTotal total) {}

  RawSource(SegmentBudget.SourceBudget budget) {
    this.budget = budget;
  }

  void introduced(SegmentSource source) {
    introduction = source;
    reached(source.lastSequence());
  }

  void reached(long frameSequence) {
    sequence = Math.max(sequence, frameSequence);
  }

  void noteUnreadable() {
    framesUnreadable++;
  }

  /** Counts a log event without a readable level or time. */
  void noteAssumed() {
    logEventsAssumed++;
  }

  void update(long frameSequence, Totals newest) {
    samplesDropped = newest.samplesDropped();
    framesDropped = newest.framesDropped();
    tracesDropped = newest.tracesDropped();
    stagesSkipped = newest.stagesSkipped();
    threadsRefused = newest.threadsRefused();
    finished = newest.last();
    for (Totals.StageTotal stage : newest.stages()) {
      budget.put(totals, stage.stageId(), new StageTotals(frameSequence, stage), total -> 0);
    }
  }

  void update(long frameSequence, Environment newest) {
    newest
        .entries()
        .forEach(
            (name, value) ->
                budget.put(
                    environment,
                    name,
                    new EnvironmentValue(frameSequence, value),
                    newer -> name.length() + newer.value().length()));
  }

  void nameStages(Map<Integer, String> names) {
    names.forEach((id, name) -> budget.put(stages, id, name, String::length));
  }

  void nameThreads(Map<Integer, String> names) {
    names.forEach((id, name) -> budget.put(threads, id, name, String::length));
  }

  void nameMetrics(Map<Integer, MetricDictionary.Metric> names) {
    names.forEach(
        (id, name) ->
            budget.put(
                metrics, id, name, metric -> metric.name().length() + metric.unit().length()));
  }

  SegmentSource introduction() {
    return introduction;
  }

  String uuid() {
    return introduction.hello().source().toString();
  }

  /**
   * Returns the offset from the source's nanoTime to nanoseconds since 1970, by the collector's
   * clock.
   */
  long epochOffsetNanos() {
    return introduction.epochOffsetNanos();
  }

  /** Returns the names; a missing number has no name, or exceeded the budget. */
  Map<Integer, String> stages() {
    return stages;
  }

  /** Returns the names; a missing number has no name, or exceeded the budget. */
  Map<Integer, String> threads() {
    return threads;
  }

  Map<Integer, MetricDictionary.Metric> metrics() {
    return metrics;
  }

  Map<String, EnvironmentValue> environment() {
    return environment;
  }

  Map<Integer, StageTotals> totals() {
    return totals;
  }

  /** Returns the newest frame. */
  long sequence() {
    return sequence;
  }

  long framesUnreadable() {
    return framesUnreadable;
  }

  long samplesDropped() {
    return samplesDropped;
  }

  long framesDropped() {
    return framesDropped;
  }

  long tracesDropped() {
    return tracesDropped;
  }

  long stagesSkipped() {
    return stagesSkipped;
  }

  long threadsRefused() {
    return threadsRefused;
  }

  boolean finished() {
    return finished;
  }

  long logEventsAssumed() {
    return logEventsAssumed;
  }
}
