package org.fedometer.collector.http;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.collector.influx.InfluxSender;
import org.fedometer.collector.journal.JournalFigures;
import org.fedometer.store.DiskRoom;

/** The collector's figures in Prometheus's text format 0.0.4; docs/monitoring.md has the names. */
final class MetricsPage implements Page {
  /** What a Prometheus and this collector can bear; the stages of some 150 sources. */
  private static final int MOST_STAGES = 10_000;

  private static final double NANOS = 1e9;

  private final CollectorPages of;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  MetricsPage(CollectorPages of) {
    this.of = of;
  }

  @Override
  public Response answer(Request request) throws IOException {
    List<MetricSnapshot> metrics = new ArrayList<>();
    addJournal(metrics);
    addStages(metrics);
    if (of.influx() != null) {
      addInflux(metrics, of.influx().get());
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    writer.write(body, new MetricSnapshots(metrics));
    return new Response(200, PrometheusTextFormatWriter.CONTENT_TYPE, body.toByteArray());
  }

  private void addJournal(List<MetricSnapshot> to) {
    JournalFigures journal = of.journal().get();
    to.add(
        gauge("fedometer_build_info", "Which Fedometer this is.")
            .dataPoint(gaugeOf(1, Labels.of("version", of.version())))
            .build());
    to.add(count("fedometer_frames_durable", "Frames put on disk.", of.counts().frames()));
    to.add(
        count(
            "fedometer_frame_bytes_durable",
            "Size of the frames put on disk.",
            of.counts().bytes()));
    to.add(
        count(
            "fedometer_samples_durable",
            "Samples in the frames put on disk.",
            of.counts().samples()));
    to.add(
        count(
            "fedometer_log_lines_durable",
            "Log lines in the frames put on disk.",
            of.counts().logLines()));
    CounterSnapshot.Builder assumed =
        counter(
            "fedometer_log_events_assumed",
            "Log events whose level or time was not told, or could not be read.");
    of.assumed().forEach((host, n) -> assumed.dataPoint(countOf(n, Labels.of("source", host))));
    to.add(assumed.build());
    to.add(
        count(
            "fedometer_syncs",
            "Batches of what was written, of all runs, that the disk was told to keep.",
            journal.syncs()));
    to.add(
        count(
            "fedometer_sync_seconds",
            "Time until the disk had kept it.",
            journal.syncNanos() / NANOS));
    to.add(
        count(
            "fedometer_segments_sealed",
            "Segments of which Parquet files were made.",
            journal.segmentsSealed()));
    to.add(
        value(
            "fedometer_queue_bytes",
            "Size of the frames received and not yet on disk.",
            journal.queuedBytes()));
    to.add(
        value(
            "fedometer_durable_age_seconds",
            "Time since something was put on disk.",
            journal.nanosSinceDurable() / NANOS));
    to.add(value("fedometer_runs_open", "Runs being written.", journal.runsOpen()));
    to.add(
        value(
            "fedometer_runs_in_trouble",
            "Runs that cannot be written or sealed.",
            journal.troubles().size()));
    to.add(
        value(
            "fedometer_sources_connected",
            "Sources that are connected.",
            journal.sourcesConnected()));
    DiskRoom.freeBytes(of.store())
        .ifPresent(
            free -> to.add(value("fedometer_store_free_bytes", "Free on the store's disk.", free)));
    CounterSnapshot.Builder refused =
        counter("fedometer_connections_refused", "Connections that were hung up on.");
    of.refusals()
        .counts()
        .forEach((reason, n) -> refused.dataPoint(countOf(n, Labels.of("reason", reason))));
    to.add(refused.build());
  }

  private void addStages(List<MetricSnapshot> to) {
    CounterSnapshot.Builder executions =
        counter("fedometer_stage_executions", "Executions of a stage since the source's start.");
    CounterSnapshot.Builder failures =
        counter("fedometer_stage_failures", "Executions of a stage that ended by an exception.");
    CounterSnapshot.Builder seconds =
        counter("fedometer_stage_seconds", "Time of the executions of a stage, from start to end.");
    int[] stages = {0};
    of.counts()
        .forEachStage(
            total -> {
              if (stages[0]++ < MOST_STAGES) {
                Labels labels =
                    Labels.of(
                        "run",
                        total.run(),
                        "source",
                        total.source().toString(),
                        "stage",
                        total.stage());
                executions.dataPoint(countOf(total.count(), labels));
                failures.dataPoint(countOf(total.failed(), labels));
                seconds.dataPoint(countOf(total.sumTotalNanos() / NANOS, labels));
              }
            });
    to.add(executions.build());
    to.add(failures.build());
    to.add(seconds.build());
    to.add(
        value(
            "fedometer_stages_left_out",
            "Stages of sources for which there is no room here.",
            Math.max(0, stages[0] - MOST_STAGES)));
  }

  private static void addInflux(List<MetricSnapshot> to, InfluxSender.Status influx) {
    to.add(
        counter("fedometer_influx_points", "Points for InfluxDB, by what became of them.")
            .dataPoint(countOf(influx.sent(), Labels.of("outcome", "sent")))
            .dataPoint(countOf(influx.dropped(), Labels.of("outcome", "dropped")))
            .dataPoint(countOf(influx.refused(), Labels.of("outcome", "refused")))
            .build());
    to.add(
        value(
            "fedometer_influx_points_waiting",
            "Points for InfluxDB that are not sent yet.",
            influx.queuedPoints()));
    to.add(
        value(
            "fedometer_influx_waiting_bytes",
            "Size of the points for InfluxDB that are not sent yet.",
            influx.queuedBytes()));
    to.add(
        value(
            "fedometer_influx_up",
            "1 unless InfluxDB takes nothing at the moment.",
            influx.trouble().isEmpty() ? 1 : 0));
  }

  // ---- snapshots ----

  private static CounterSnapshot.Builder counter(String name, String help) {
    return CounterSnapshot.builder().name(name).help(help);
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name(name).help(help);
  }

  private static CounterSnapshot count(String name, String help, double value) {
    return counter(name, help).dataPoint(countOf(value, Labels.EMPTY)).build();
  }

  private static GaugeSnapshot value(String name, String help, double value) {
    return gauge(name, help).dataPoint(gaugeOf(value, Labels.EMPTY)).build();
  }

  private static CounterDataPointSnapshot countOf(double value, Labels labels) {
    return CounterDataPointSnapshot.builder().value(value).labels(labels).build();
  }

  private static GaugeDataPointSnapshot gaugeOf(double value, Labels labels) {
    return GaugeDataPointSnapshot.builder().value(value).labels(labels).build();
  }
}
