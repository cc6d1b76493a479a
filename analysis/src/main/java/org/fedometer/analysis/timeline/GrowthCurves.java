package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.analysis.timeline.RunTimeline.ByTime;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;

/**
 * Computes growth with a repository's objects: memory, disk, triples, rows of the database.
 * Stateless.
 */
public final class GrowthCurves {
  static final int MAX_CURVES = 24;

  /** Fewer points are no curve. */
  private static final int MIN_POINTS = 3;

  private static final int MAX_TITLE_LENGTH = 120;

  /** Name of the values from the garbage collection table. */
  private static final String HEAP_AFTER_GC = "heap after gc";

  private static final Map<String, Metric> METRICS = metrics();

  private GrowthCurves() {}

  /**
   * A quantity against the number of ingested objects.
   *
   * @param unit {@code B} for bytes, empty for a number
   * @param objects ascending, distinct
   * @param low minimum of all readings since the preceding point; null for single values
   * @param high maximum of them; null if {@code low} is
   */
  public record Curve(
      String title, String unit, Column objects, Column values, Column low, Column high) {}

  private enum Kind {
    /** The value itself, with a band. */
    LEVEL,
    /** Increase since the first reading. */
    GROWN,
    /** Decrease since the first reading. */
    SHRUNK,
    /** Sum of all rows so far. */
    SUM
  }

  private record Metric(String title, String unit, Kind kind) {}

  private static Map<String, Metric> metrics() {
    Map<String, Metric> map = new LinkedHashMap<>();
    map.put(HEAP_AFTER_GC, new Metric("Heap used after a garbage collection", "B", Kind.LEVEL));
    map.put(
        "fedora.process.memory.usage",
        new Metric("Fedora's process: resident memory", "B", Kind.LEVEL));
    map.put(
        "database.process.memory.usage",
        new Metric("Database server: resident memory", "B", Kind.LEVEL));
    map.put(
        "fedora.home.disk.free",
        new Metric("Disk used on the volume of FEDORA_HOME, by any process", "B", Kind.SHRUNK));
    map.put(
        "system.disk.written",
        new Metric(
            "Written by the disks below Fedora's home and its own database", "B", Kind.GROWN));
    map.put("triples.flush.updates", new Metric("Updates of triples flushed", "", Kind.SUM));
    map.put(
        "pg_stat_database.tup_inserted",
        new Metric("Rows inserted into the database", "", Kind.GROWN));
    map.put(
        "global_status.Innodb_rows_inserted",
        new Metric("Rows inserted into the database", "", Kind.GROWN));
    return map;
  }

  private record Key(String metric, String source) {}

  /** A curve under construction, in order of time. */
  private static final class Growing {
    final List<double[]> points = new ArrayList<>();
    double first = Double.NaN;
    double sum;
  }

  /**
   * @param query on the run's tables; used by this thread until the call returns
   * @param report of the same run
   * @param timeline of the same run
   * @return possibly empty
   */
  public static List<Curve> of(Query query, RunReport report, RunTimeline timeline)
      throws QueryException {
    ByTime time = timeline.time();
    TimelineClock clock = time == null ? null : clock(query, report);
    if (clock == null || time.objects().size() == 0) {
      return List.of();
    }
    long bucketNanos = time.bucketSeconds() * 1_000_000_000L;
    String sql =
        """
        SELECT metric, source, moment // %1$s, avg("value"), min("value"), max("value"),
          arg_min("value", moment), arg_max("value", moment), sum("value")
        FROM (
          SELECT coalesce(source, '') AS source, metric, %2$s AS moment, "value" FROM telemetry
          WHERE metric IN %3$s AND isfinite("value")
          UNION ALL
          SELECT coalesce(source, ''), '%4$s', %5$s, heap_after_bytes::DOUBLE FROM gc
          WHERE heap_after_bytes > 0)
        WHERE moment BETWEEN 0 AND %6$s
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
            .formatted(
                bucketNanos,
                clock.sinceOrigin("at_nanos"),
                SqlText.list(List.copyOf(METRICS.keySet())),
                HEAP_AFTER_GC,
                clock.sinceOrigin("start_nanos + duration_nanos"),
                bucketNanos * time.objects().size() - 1);
    Map<Key, Growing> found = new LinkedHashMap<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        Key key = new Key(rows.text(0), rows.text(1));
        if (found.containsKey(key) || found.size() < 4 * MAX_CURVES) {
          double objects = time.objects().at((int) rows.integer(2));
          add(
              found.computeIfAbsent(key, none -> new Growing()),
              METRICS.get(key.metric()).kind(),
              objects,
              rows);
        }
      }
    }
    return curves(found);
  }

  /** Returns null if no data has a time. */
  private static TimelineClock clock(Query query, RunReport report) throws QueryException {
    TimelineClock unset = TimelineClock.of(query, report.run().bootId(), report.imported());
    Long origin =
        RequestExtent.of(query, unset).originNanos(IngestWindow.of(report.run().phases()));
    return origin == null ? null : unset.from(origin);
  }

  private static void add(Growing growing, Kind kind, double objects, Rows rows)
      throws QueryException {
    if (Double.isNaN(growing.first)) {
      growing.first = rows.decimal(6);
    }
    growing.sum += rows.decimal(8);
    double[] point =
        switch (kind) {
          case LEVEL -> new double[] {objects, rows.decimal(3), rows.decimal(4), rows.decimal(5)};
          case GROWN -> one(objects, rows.decimal(7) - growing.first);
          case SHRUNK -> one(objects, growing.first - rows.decimal(7));
          case SUM -> one(objects, growing.sum);
        };
    int last = growing.points.size() - 1;
    // For several moments with the same number of objects, the last one counts.
    if (last >= 0 && growing.points.get(last)[0] >= objects) {
      growing.points.set(last, point);
    } else {
      growing.points.add(point);
    }
  }

  private static double[] one(double objects, double value) {
    return new double[] {objects, value, Double.NaN, Double.NaN};
  }

  private static List<Curve> curves(Map<Key, Growing> found) {
    Map<String, Long> sources =
        found.keySet().stream().collect(Collectors.groupingBy(Key::metric, Collectors.counting()));
    List<Curve> curves = new ArrayList<>();
    METRICS.forEach(
        (id, metric) ->
            found.forEach(
                (key, growing) -> {
                  if (key.metric().equals(id)
                      && growing.points.size() >= MIN_POINTS
                      && curves.size() < MAX_CURVES) {
                    String title =
                        sources.get(id) > 1
                            ? metric.title() + " (" + key.source() + ")"
                            : metric.title();
                    curves.add(
                        curve(
                            metric, Shortened.beginning(title, MAX_TITLE_LENGTH), growing.points));
                  }
                }));
    return List.copyOf(curves);
  }

  private static Curve curve(Metric metric, String title, List<double[]> points) {
    boolean band = metric.kind() == Kind.LEVEL;
    return new Curve(
        title,
        metric.unit(),
        column(points, 0),
        column(points, 1),
        band ? column(points, 2) : null,
        band ? column(points, 3) : null);
  }

  private static Column column(List<double[]> points, int index) {
    return Column.of(points.stream().mapToDouble(point -> point[index]).toArray());
  }
}
