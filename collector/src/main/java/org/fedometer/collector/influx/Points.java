package org.fedometer.collector.influx;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.RunSummary;
import org.fedometer.store.Ulid;
import org.fedometer.store.rollup.Rollup;

/**
 * Converts measurements to points. docs/collector.md documents the names. A changed name, tag or
 * time here duplicates points sent by earlier versions.
 */
final class Points {
  static final String STAGES = "fedometer_stages";
  static final String GC = "fedometer_gc";
  static final String TELEMETRY = "fedometer_telemetry";
  static final String RUNS = "fedometer_runs";

  private static final int SIGNIFICANT_DIGITS = 2;
  private static final long NANOS = 1_000_000_000L;

  /** Values that InfluxDB reserves at both ends of the range. */
  private static final long TIMES_APART = 2;

  private Points() {}

  /** Returns the point of a stage in a ten-second interval, at its start. */
  static InfluxPoint ofStage(String run, Rollup rollup) {
    return ofStage(run, rollup, Collections.singletonList(rollup.histogram()));
  }

  /**
   * As {@link #ofStage(String, Rollup)}.
   *
   * @param sums all but the histogram
   * @param histograms of the parts that were summed
   */
  static InfluxPoint ofStage(String run, Rollup sums, List<byte[]> histograms) {
    Histogram times = new Histogram(SIGNIFICANT_DIGITS);
    for (byte[] encoded : histograms) {
      if (encoded == null) {
        continue;
      }
      try {
        times.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0));
      } catch (DataFormatException | RuntimeException e) {
        // Of a file with foreign content: its counts remain valid.
      }
    }
    InfluxPoint point =
        InfluxPoint.of(STAGES, sums.beginEpochSeconds() * NANOS)
            .tag("run", run)
            .tag("stage", sums.stage())
            .field("count", sums.count())
            .field("failed", sums.failed())
            .field("sum_duration_nanos", sums.sumDurationNanos())
            .field("sum_self_nanos", sums.sumSelfNanos());
    // Less than one comes from foreign files.
    if (sums.count() > 0) {
      point.field("mean_nanos", (double) sums.sumDurationNanos() / sums.count());
    }
    point.field("min_nanos", sums.minNanos());
    if (times.getTotalCount() > 0) {
      point
          .field("p50_nanos", percentile(times, 50, sums))
          .field("p95_nanos", percentile(times, 95, sums))
          .field("p99_nanos", percentile(times, 99, sums));
    }
    return point.field("max_nanos", sums.maxNanos());
  }

  /**
   * Returns a percentile. Histograms return the upper end of a bucket, so the exact extremes bound
   * it.
   */
  private static long percentile(Histogram times, double percentile, Rollup sums) {
    return Math.max(
        sums.minNanos(), Math.min(sums.maxNanos(), times.getValueAtPercentile(percentile)));
  }

  /**
   * Converts a source's time to epoch nanoseconds. Null if InfluxDB cannot hold it, due to a wrong
   * clock or a hostile source.
   */
  static Long epochNanos(long nanos, long epochOffsetNanos) {
    long sum = nanos + epochOffsetNanos;
    boolean overflows = ((nanos ^ sum) & (epochOffsetNanos ^ sum)) < 0;
    return overflows || sum < Long.MIN_VALUE + TIMES_APART || sum > Long.MAX_VALUE - TIMES_APART
        ? null
        : sum;
  }

  /** Returns the point of a pause, at its start. */
  static InfluxPoint ofGc(
      String run,
      String source,
      String sourceName,
      String collector,
      String action,
      String cause,
      long beginEpochNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {
    return InfluxPoint.of(GC, beginEpochNanos)
        .tag("run", run)
        .tag("source", source)
        .tag("source_name", sourceName)
        .tag("collector", collector)
        .tag("action", action)
        .tag("cause", cause)
        .field("duration_nanos", durationNanos)
        .field("heap_before_bytes", heapBeforeBytes)
        .field("heap_after_bytes", heapAfterBytes);
  }

  /**
   * Returns the point of a reading; null for NaN and infinities, which InfluxDB does not support.
   */
  static InfluxPoint ofTelemetry(
      String run,
      String source,
      String sourceName,
      String metric,
      String unit,
      long atEpochNanos,
      double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    return InfluxPoint.of(TELEMETRY, atEpochNanos)
        .tag("run", run)
        .tag("source", source)
        .tag("source_name", sourceName)
        .tag("metric", metric)
        .tag("unit", unit)
        .field("value", value);
  }

  /**
   * Returns a run's description and state, at its start; later points replace earlier ones. Null
   * until the profile is known, since a change of tags would create another point.
   */
  static InfluxPoint ofRun(String run, RunDocument document) {
    if (document.id() == null || !Ulid.isUlid(document.id()) || document.state() == null) {
      return null;
    }
    boolean conducted = document.profile() != null;
    if (!conducted && !RunState.MONITORING.is(document.state())) {
      return null;
    }
    InfluxPoint point =
        InfluxPoint.of(RUNS, Ulid.epochMillisOf(document.id()) * 1_000_000L).tag("run", run);
    if (conducted) {
      point.tag("profile", document.profile().name());
      Map<String, String> choices =
          document.profile().choices() == null ? Map.of() : document.profile().choices();
      new TreeMap<>(choices)
          .forEach((dimension, choice) -> point.tag("choice_" + dimension, choice));
    }
    if (document.dataset() != null) {
      point.tag("dataset", document.dataset().name());
    }
    point
        .field("id", document.id())
        .field("state", document.state())
        .field("workers", (long) document.workers());
    if (document.objects() != null) {
      point
          .field("objects_requested", document.objects().requested())
          .field("objects_ingested", document.objects().ingested())
          .field("objects_failed", document.objects().failed());
    }
    Double rate = RunSummary.objectsPerSecond(document);
    if (rate != null) {
      point.field("objects_per_second", rate);
    }
    Long durationMillis = RunSummary.durationMillis(document);
    if (durationMillis != null) {
      point.field("duration_millis", durationMillis);
    }
    return point;
  }
}
