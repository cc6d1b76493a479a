package org.fedometer.collector.logs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.collector.metrics.Metrics;

/**
 * Counts log events whose level or time was missing or unreadable, per host, since the collector's
 * start. Any thread.
 */
public final class AssumedEvents {
  /** Further hosts are counted together. */
  private static final int MAX_HOSTS = 1_000;

  private static final String OTHERS = "others";

  private final Map<String, LongAdder> hosts = new ConcurrentHashMap<>();

  void add(String host) {
    String name = hosts.size() < MAX_HOSTS || hosts.containsKey(host) ? host : OTHERS;
    hosts.computeIfAbsent(name, any -> new LongAdder()).increment();
  }

  public void addTo(Metrics metrics) {
    hosts.forEach(
        (host, count) ->
            metrics.count(
                "fedometer_log_events_assumed",
                "Log events whose level or time was missing or unreadable.",
                count.sum(),
                "source",
                host));
  }
}
