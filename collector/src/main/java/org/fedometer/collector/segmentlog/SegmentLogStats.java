package org.fedometer.collector.segmentlog;

import java.util.Map;
import org.fedometer.collector.metrics.Metrics;

/**
 * Statistics of a segment log. Counts are since its start.
 *
 * @param running whether it accepts data
 * @param runsOpen runs with data to write or seal
 * @param sourcesConnected introduced sources
 * @param queuedBytes received and not yet durable
 * @param syncs number of syncs of all runs
 * @param syncNanos total time of syncs
 * @param segmentsSealed segments converted to Parquet files
 * @param nanosSinceDurable time since the last sync; at first since the start
 * @param failures failure messages by run name
 */
public record SegmentLogStats(
    boolean running,
    int runsOpen,
    int sourcesConnected,
    long queuedBytes,
    long syncs,
    long syncNanos,
    long segmentsSealed,
    long nanosSinceDurable,
    int runsNotWritable,
    Map<String, String> failures) {
  private static final double NANOS = 1e9;

  public void addTo(Metrics metrics) {
    metrics.count(
        "fedometer_syncs", "Batches of written data, of all runs, synced to disk.", syncs);
    metrics.count("fedometer_sync_seconds", "Time spent syncing to disk.", syncNanos / NANOS);
    metrics.count(
        "fedometer_segments_sealed", "Segments sealed into Parquet files.", segmentsSealed);
    metrics.value(
        "fedometer_queue_bytes", "Size of the frames received and not yet on disk.", queuedBytes);
    metrics.value(
        "fedometer_durable_age_seconds",
        "Time since the last sync to disk.",
        nanosSinceDurable / NANOS);
    metrics.value("fedometer_runs_open", "Runs being written.", runsOpen);
    metrics.value(
        "fedometer_runs_failing", "Runs that cannot be written or sealed.", failures.size());
    metrics.value(
        "fedometer_runs_not_writable",
        "Runs that cannot be written; /health says 503 while there are any.",
        runsNotWritable);
    metrics.value("fedometer_sources_connected", "Sources that are connected.", sourcesConnected);
  }
}
