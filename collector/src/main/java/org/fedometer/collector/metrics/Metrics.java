package org.fedometer.collector.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects the metrics of one scrape; docs/collector.md lists them. Labels are pairs of name and
 * value; a name may recur with other labels. One thread.
 */
public final class Metrics {
  /** Content type of {@link #text}. */
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
  private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();

  /**
   * Adds a counter.
   *
   * @param name without {@code _total}
   */
  public void count(String name, String help, double value, String... labels) {
    counters
        .computeIfAbsent(name, any -> CounterSnapshot.builder().name(name).help(help))
        .dataPoint(
            CounterDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  public void value(String name, String help, double value, String... labels) {
    gauges
        .computeIfAbsent(name, any -> GaugeSnapshot.builder().name(name).help(help))
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  /** Returns Prometheus's text format 0.0.4. */
  public byte[] text() throws IOException {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
    gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, all.build());
    return text.toByteArray();
  }
}
