package org.fedometer.collector.influx;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollup;

/** Reads all points of a run from the store. For one thread. */
final class RunPoints {
  private static final String STAGES =
      "SELECT begin_epoch_seconds, stage, count, failed, sum_duration_nanos, sum_self_nanos, min_nanos,"
          + " max_nanos, histogram FROM rollups WHERE begin_epoch_seconds BETWEEN ? AND ?"
          + " ORDER BY begin_epoch_seconds, stage";
  private static final String GC =
      "SELECT g.source, s.name, g.collector, g.action, g.cause,"
          + " g.start_nanos, s.epoch_offset_nanos, g.duration_nanos, g.heap_before_bytes,"
          + " g.heap_after_bytes FROM gc g JOIN sources s USING (source)";
  private static final String TELEMETRY =
      "SELECT t.source, s.name, t.metric, t.unit, t.at_nanos, s.epoch_offset_nanos, t.value"
          + " FROM telemetry t JOIN sources s USING (source)";

  private static final long NANOS = 1_000_000_000L;

  private final String run;
  private final Consumer<InfluxPoint> out;

  private RunPoints(String run, Consumer<InfluxPoint> out) {
    this.run = run;
    this.out = out;
  }

  static void write(RunView run, Consumer<InfluxPoint> out) throws IOException, QueryException {
    if (run.hasDocument()) {
      InfluxPoint point = Points.ofRun(run.name(), run.document());
      if (point != null) {
        out.accept(point);
      }
    }
    RunPoints points = new RunPoints(run.name(), out);
    try (Query query = run.query()) {
      points.writeStages(query, Long.MIN_VALUE, Long.MAX_VALUE);
      points.writeGc(query);
      points.writeTelemetry(query);
    }
  }

  /**
   * Writes the points of stages in the given ten-second intervals.
   *
   * @param begins starts in seconds since 1970; not empty
   */
  static void writeStages(
      String run, Query query, SortedSet<Long> begins, Consumer<InfluxPoint> out)
      throws QueryException {
    new RunPoints(
            run,
            point -> {
              if (begins.contains(point.epochNanos() / NANOS)) {
                out.accept(point);
              }
            })
        .writeStages(query, begins.first(), begins.last());
  }

  /** Merges rows: each segment with samples of a stage in an interval has its own. */
  private void writeStages(Query query, long first, long last) throws QueryException {
    try (Rows rows = query.execute(STAGES, first, last)) {
      Rollup sums = null;
      List<byte[]> histograms = new ArrayList<>();
      while (rows.next()) {
        Rollup row =
            new Rollup(
                rows.integer(0),
                rows.text(1),
                rows.integer(2),
                rows.integer(3),
                rows.integer(4),
                rows.integer(5),
                rows.integer(6),
                rows.integer(7),
                (byte[]) rows.value(8));
        if (sums != null && isSame(sums, row)) {
          sums = sum(sums, row);
        } else {
          if (sums != null) {
            out.accept(Points.ofStage(run, sums, histograms));
          }
          sums = row;
          histograms.clear();
        }
        histograms.add(row.histogram());
      }
      if (sums != null) {
        out.accept(Points.ofStage(run, sums, histograms));
      }
    }
  }

  private static boolean isSame(Rollup a, Rollup b) {
    return a.beginEpochSeconds() == b.beginEpochSeconds() && a.stage().equals(b.stage());
  }

  private static Rollup sum(Rollup a, Rollup b) {
    return new Rollup(
        a.beginEpochSeconds(),
        a.stage(),
        a.count() + b.count(),
        a.failed() + b.failed(),
        a.sumDurationNanos() + b.sumDurationNanos(),
        a.sumSelfNanos() + b.sumSelfNanos(),
        Math.min(a.minNanos(), b.minNanos()),
        Math.max(a.maxNanos(), b.maxNanos()),
        a.histogram());
  }

  private void writeGc(Query query) throws QueryException {
    try (Rows rows = query.execute(GC)) {
      while (rows.next()) {
        Long begin = Points.epochNanos(rows.integer(5), rows.integer(6));
        if (begin != null) {
          out.accept(
              Points.ofGc(
                  run,
                  rows.text(0),
                  rows.text(1),
                  rows.text(2),
                  rows.text(3),
                  rows.text(4),
                  begin,
                  rows.integer(7),
                  rows.integer(8),
                  rows.integer(9)));
        }
      }
    }
  }

  private void writeTelemetry(Query query) throws QueryException {
    try (Rows rows = query.execute(TELEMETRY)) {
      while (rows.next()) {
        Long at = Points.epochNanos(rows.integer(4), rows.integer(5));
        InfluxPoint point =
            at == null
                ? null
                : Points.ofTelemetry(
                    run,
                    rows.text(0),
                    rows.text(1),
                    rows.text(2),
                    rows.text(3),
                    at,
                    rows.decimal(6));
        if (point != null) {
          out.accept(point);
        }
      }
    }
  }
}
