package org.fedometer.agent.core.log4j2;

import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.MetricDictionary;

/** What the numbers of one source stand for, over all its connections. One thread at a time. */
final class SourceNames {

  private final Map<Integer, String> stages = new HashMap<>();
  private final Map<Integer, String> threads = new HashMap<>();
  private final Map<Integer, MetricDictionary.Metric> metrics = new HashMap<>();

  boolean isEmpty() {
    return stages.isEmpty() && threads.isEmpty() && metrics.isEmpty();
  }

  void nameStages(Map<Integer, String> names) {
    stages.putAll(names);
  }

  void nameThreads(Map<Integer, String> names) {
    threads.putAll(names);
  }

  void nameMetrics(Map<Integer, MetricDictionary.Metric> names) {
    metrics.putAll(names);
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

  /** A number whose name was lost stands for itself. */
  private static String nameOf(int number, Map<Integer, String> names) {
    String name = names.get(number);
    return name == null ? "#" + number : name;
  }
}
