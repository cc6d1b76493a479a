package org.fedometer.agent.core.log4j2;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fedometer.wire.session.MetricDictionary;

/**
 * Names of one source's numbers, over all its connections. Removes the least recently used ones
 * beyond a limit per kind. One thread at a time.
 */
final class SourceNames {

  /** Limits names to some megabytes; thread numbers grow as long as Fedora starts threads. */
  static final int MAX_PER_KIND = 10_000;

  private final Map<Integer, String> stages = new LeastRecentlyUsedMap<>();
  private final Map<Integer, String> threads = new LeastRecentlyUsedMap<>();
  private final Map<Integer, MetricDictionary.Metric> metrics = new LeastRecentlyUsedMap<>();

  void nameStages(Map<Integer, String> names) {
    stages.putAll(names);
  }

  void nameThreads(Map<Integer, String> names) {
    threads.putAll(names);
  }

  void nameMetrics(Map<Integer, MetricDictionary.Metric> names) {
    metrics.putAll(names);
  }

  /** Adds older names, which replace none. */
  void recallStages(Map<Integer, String> names) {
    recall(names, stages);
  }

  /** Adds older names, which replace none. */
  void recallThreads(Map<Integer, String> names) {
    recall(names, threads);
  }

  /** Adds older names, which replace none. */
  void recallMetrics(Map<Integer, MetricDictionary.Metric> names) {
    recall(names, metrics);
  }

  String stage(int number) {
    return nameOf(number, stages);
  }

  String thread(int number) {
    return nameOf(number, threads);
  }

  String metric(int number) {
    MetricDictionary.Metric metric = metrics.get(number);
    return metric == null ? "#" + number : metric.name();
  }

  String unit(int number) {
    MetricDictionary.Metric metric = metrics.get(number);
    return metric == null ? "" : metric.unit();
  }

  private static <T> void recall(Map<Integer, T> names, Map<Integer, T> known) {
    for (Map.Entry<Integer, T> entry : names.entrySet()) {
      if (known.size() < MAX_PER_KIND && !known.containsKey(entry.getKey())) {
        known.put(entry.getKey(), entry.getValue());
      }
    }
  }

  /** Falls back to the number if its name was lost. */
  private static String nameOf(int number, Map<Integer, String> names) {
    String name = names.get(number);
    return name == null ? "#" + number : name;
  }

  private static final class LeastRecentlyUsedMap<T> extends LinkedHashMap<Integer, T> {

    private static final long serialVersionUID = 1L;

    LeastRecentlyUsedMap() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, T> eldest) {
      return size() > MAX_PER_KIND;
    }
  }
}
