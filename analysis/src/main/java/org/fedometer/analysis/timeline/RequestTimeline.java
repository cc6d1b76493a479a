package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.timeline.RunTimeline.ByObjects;
import org.fedometer.analysis.timeline.RunTimeline.ByTime;
import org.fedometer.analysis.timeline.RunTimeline.Cell;
import org.fedometer.analysis.timeline.RunTimeline.Heat;
import org.fedometer.analysis.timeline.RunTimeline.Latencies;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/**
 * Aggregates a run's requests in the database: of millions, only sums are loaded into Java. One
 * use, one thread.
 *
 * <p>Durations are counted in cells of equal ratio, {@code e^(1/128)} or 0.8 %, for both
 * percentiles and the heat map. Each cell has its minimum and maximum: percentiles are interpolated
 * between them, so those of few requests are exact.
 */
final class RequestTimeline {
  static final int MAX_BUCKETS = 600;
  static final int MAX_OBJECT_BUCKETS = 200;
  static final int MAX_HEAT_COLUMNS = 160;
  static final int MAX_HEAT_ROWS = 40;

  /** Minimum number of objects for meaningful percentiles. */
  private static final int OBJECTS_IN_BUCKET = 10;

  /** Change points are searched in at most 1,000 intervals, so more points are useless. */
  static final int MAX_POINTS = 20_000;

  /** Number that is sorted within a second or two. */
  static final long MAX_ORDERED_REQUESTS = 1_000_000;

  private static final int SLOTS_IN_BUCKET = 20;
  private static final int CELLS_IN_E = 128;
  private static final long SECOND = 1_000_000_000L;

  /** Minimum bucket length, in seconds, for rates of single seconds. */
  private static final long SECONDS_TO_COMPARE = 3;

  private final Query query;
  private final TimelineClock clock;
  private final RequestExtent extent;

  private final long maxOrderedRequests;

  private final long timeSeconds;
  private final long heatSeconds;
  private final long bucketObjects;

  private final List<Bucket> byTime = new ArrayList<>();
  private final List<Bucket> responses = new ArrayList<>();
  private final List<Bucket> byObjects = new ArrayList<>();
  private final List<long[]> points = new ArrayList<>();
  private final List<long[]> heat = new ArrayList<>();
  private int minCell;
  private int cellsInRow;
  private Seconds seconds;

  /** A bucket with its latencies in nanoseconds, in the order of {@link Latencies}. */
  private record Bucket(long key, long first, long count, double[] nanos, long endNanos) {}

  RequestTimeline(Query query, TimelineClock clock, RequestExtent extent) throws QueryException {
    this(query, clock, extent, MAX_ORDERED_REQUESTS);
  }

  RequestTimeline(Query query, TimelineClock clock, RequestExtent extent, long maxOrderedRequests)
      throws QueryException {
    this(
        query,
        clock,
        extent,
        maxOrderedRequests,
        BucketLength.of(lengthSeconds(extent), MAX_BUCKETS),
        bucketObjects(extent.ingested(), MAX_OBJECT_BUCKETS));
  }

  RequestTimeline(
      Query query,
      TimelineClock clock,
      RequestExtent extent,
      long maxOrderedRequests,
      long timeSeconds,
      long bucketObjects)
      throws QueryException {
    this.query = query;
    this.clock = clock;
    this.extent = extent;
    this.maxOrderedRequests = maxOrderedRequests;
    this.timeSeconds = timeSeconds;
    this.heatSeconds = BucketLength.of(lengthSeconds(extent), MAX_HEAT_COLUMNS);
    this.bucketObjects = bucketObjects;
    if (extent.ingested() > 0) {
      readIngests();
    }
    if (extent.requests() > 0) {
      readSeconds();
    }
  }

  private boolean inOrder() {
    return extent.ingested() <= maxOrderedRequests;
  }

  private long wantedPointObjects() {
    return Math.max(1, (extent.ingested() + MAX_POINTS - 1) / MAX_POINTS);
  }

  private static double lengthSeconds(RequestExtent extent) {
    return extent.lastNanos() == null ? 0 : Math.max(0, extent.lastNanos()) / 1e9;
  }

  /** Returns the objects per bucket: few enough buckets, with enough objects for percentiles. */
  static long bucketObjects(long ingested, int maxBuckets) {
    long shortest = BucketLength.of(ingested - 1.0, maxBuckets);
    long enough = BucketLength.of(ingested / (double) OBJECTS_IN_BUCKET, 1);
    return Math.max(shortest, Math.min(OBJECTS_IN_BUCKET, enough));
  }

  private long lastNanos() {
    return extent.lastNanos() == null ? 0 : extent.lastNanos();
  }

  private static int cell(long nanos) {
    return (int) Math.floor(Math.log(Math.max(1, nanos)) * CELLS_IN_E);
  }

  private static String cell(String nanos) {
    return "floor(ln(greatest(%s, 1)) * %s)::INTEGER".formatted(nanos, CELLS_IN_E);
  }

  /**
   * Reads the ingests once, or twice if some were late, and aggregates them in all ways. Up to a
   * limit they are sorted. Very many are counted by time slots, twenty in the shortest bucket;
   * buckets of objects then start with a slot.
   */
  private void readIngests() throws QueryException {
    // Logarithms of Java and the database may differ in the last digit.
    minCell = cell(extent.minDurationNanos()) - 1;
    int cells = cell(extent.maxDurationNanos()) + 2 - minCell;
    cellsInRow = (cells + MAX_HEAT_ROWS - 1) / MAX_HEAT_ROWS;
    long slotNanos = timeSeconds * SECOND / SLOTS_IN_BUCKET;
    String ordered =
        """
        keyed AS (
          SELECT n, 1 AS count, nanos AS sum, nanos AS least, nanos AS most, end_nanos,
            %1$s AS cell, end_nanos // %2$s AS by_time, n // %3$s AS by_objects,
            n // %4$s AS point, end_nanos // %5$s AS by_column, (%1$s - (%6$s)) // %7$s AS by_row
          FROM (SELECT end_nanos, nanos, row_number() OVER (ORDER BY end_nanos, object_index) - 1
            AS n FROM ingests))"""
            .formatted(
                cell("nanos"),
                timeSeconds * SECOND,
                bucketObjects,
                wantedPointObjects(),
                heatSeconds * SECOND,
                minCell,
                cellsInRow);
    String slotted =
        """
        slots AS MATERIALIZED (
          SELECT end_nanos // %1$s AS slot, %2$s AS cell, count(*) AS count, sum(nanos) AS sum,
            min(nanos) AS least, max(nanos) AS most, max(end_nanos) AS end_nanos
          FROM ingests GROUP BY ALL),
        places AS (
          SELECT slot, sum(sum(count)) OVER (ORDER BY slot) - sum(count) AS n
          FROM slots GROUP BY slot),
        keyed AS (
          SELECT n, count, sum, least, most, end_nanos, cell, slot * %1$s // %3$s AS by_time,
            n // %4$s AS by_objects, slot * %1$s // %5$s AS by_column,
            (cell - (%6$s)) // %7$s AS by_row
          FROM slots JOIN places USING (slot))"""
            .formatted(
                slotNanos,
                cell("nanos"),
                timeSeconds * SECOND,
                bucketObjects,
                heatSeconds * SECOND,
                minCell,
                cellsInRow);
    String responses =
        """
        UNION ALL
        SELECT 'response', end_nanos // %1$s, %2$s, count(*), sum(response_nanos),
          min(response_nanos), max(response_nanos), max(end_nanos), 0
        FROM ingests GROUP BY 2, 3"""
            .formatted(timeSeconds * SECOND, cell("response_nanos"));
    String sql =
        """
        WITH ingests AS (
          SELECT greatest(%1$s, 0) AS end_nanos, object_index, duration_nanos AS nanos,
            greatest(duration_nanos, start_nanos + duration_nanos - intended_start_nanos)
              AS response_nanos
          FROM requests WHERE %2$s),
        %3$s,
        counted AS MATERIALIZED (
          SELECT CASE WHEN grouping(by_row) = 0 THEN 'heat' WHEN grouping(by_objects) = 0
              THEN 'objects' WHEN grouping(by_time) = 0 THEN 'time' ELSE 'point' END AS what,
            coalesce(by_time, by_objects, by_column%4$s) AS key,
            coalesce(cell, by_row)::BIGINT AS cell, sum(count) AS count, sum(sum) AS sum,
            min(least) AS least, max(most) AS most, max(end_nanos) AS end_nanos, min(n) AS first
          FROM keyed GROUP BY GROUPING SETS (
            (by_time, cell), (by_objects, cell), (by_column, by_row)%5$s)
          %6$s),
        ranked AS (
          SELECT *, sum(count) OVER (PARTITION BY what, key ORDER BY cell) - count AS before,
            sum(count) OVER (PARTITION BY what, key) AS total
          FROM counted WHERE what IN ('time', 'objects', 'response'))
        SELECT what, key::BIGINT, NULL, sum(count)::BIGINT, sum(sum) / sum(count), min(least),
          %7$s, %8$s, %9$s, max(most), max(end_nanos), min(first)::BIGINT
        FROM ranked GROUP BY what, key
        UNION ALL
        SELECT what, key::BIGINT, cell, count::BIGINT, sum / count, least, NULL, NULL, NULL, most,
          end_nanos, first::BIGINT
        FROM counted WHERE what IN ('point', 'heat')
        ORDER BY 1, 2, 3"""
            .formatted(
                clock.sinceOrigin("start_nanos + duration_nanos"),
                RequestSql.INGESTED,
                inOrder() ? ordered : slotted,
                inOrder() ? ", point" : "",
                inOrder() ? ", (point)" : "",
                extent.late() ? responses : "",
                percentile(0.5),
                percentile(0.95),
                percentile(0.99));
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        addCells(rows);
      }
    }
  }

  /**
   * Returns a percentile by nearest rank, interpolated between minimum and maximum of its cell as
   * if uniform.
   */
  private static String percentile(double share) {
    String rank = "ceil(%s * total)".formatted(share);
    return """
        max(CASE WHEN before < %1$s AND before + count >= %1$s THEN least + (most - least)
          * (%1$s - before - 1) / greatest(count - 1, 1) END)"""
        .formatted(rank);
  }

  private void addCells(Rows rows) throws QueryException {
    String what = rows.text(0);
    long key = rows.integer(1);
    switch (what) {
      case "heat" -> heat.add(new long[] {key, rows.integer(2), rows.integer(3)});
      case "point" -> points.add(new long[] {rows.integer(10), Math.round(rows.decimal(4))});
      default -> {
        double[] nanos = {
          rows.decimal(5),
          rows.decimal(4),
          rows.decimal(6),
          rows.decimal(7),
          rows.decimal(8),
          rows.decimal(9)
        };
        Bucket bucket = new Bucket(key, rows.integer(11), rows.integer(3), nanos, rows.integer(10));
        switch (what) {
          case "time" -> byTime.add(bucket);
          case "response" -> responses.add(bucket);
          default -> byObjects.add(bucket);
        }
      }
    }
  }

  /**
   * Returns the ingests as a series: a point is the mean of {@link #pointObjects} ingests; times
   * are since the origin. Null without ingests.
   */
  Series points() {
    if (points.isEmpty()) {
      return null;
    }
    long[] starts = new long[points.size()];
    long[] durations = new long[starts.length];
    for (int i = 0; i < starts.length; i++) {
      durations[i] = points.get(i)[1];
      starts[i] = points.get(i)[0] - durations[i];
    }
    return Series.of(starts, durations);
  }

  /** Returns the number of ingests per point, at least 1; a mean if they are very many. */
  double pointObjects() {
    return points.isEmpty() ? 1 : (double) extent.ingested() / points.size();
  }

  /** Values of single seconds, for buckets of several seconds. */
  private static final class Seconds {
    final double[] failed;
    final double[] low;
    final double[] high;

    Seconds(int buckets) {
      failed = new double[buckets];
      low = new double[buckets];
      high = new double[buckets];
    }
  }

  /** Returns values by time; null without ingests and failures. */
  ByTime byTime() throws QueryException {
    if (extent.requests() == 0 || (extent.ingested() == 0 && extent.failed() == 0)) {
      return null;
    }
    int buckets = buckets();
    Column.Builder t = new Column.Builder();
    Column.Builder objects = new Column.Builder();
    Column.Builder rate = new Column.Builder();
    long[] counts = new long[buckets];
    byTime.forEach(bucket -> counts[place(bucket.key(), buckets)] += bucket.count());
    long sum = 0;
    for (int i = 0; i < buckets; i++) {
      sum += counts[i];
      t.add(i * timeSeconds);
      objects.add(sum);
      double covered = Math.min(timeSeconds, lastNanos() / 1e9 - i * timeSeconds);
      boolean covers = 2 * covered >= timeSeconds || buckets == 1 && covered > 0;
      rate.add(covers ? counts[i] / covered : Double.NaN);
    }
    boolean severalSeconds = timeSeconds >= SECONDS_TO_COMPARE;
    return new ByTime(
        timeSeconds,
        t.build(),
        objects.build(),
        rate.build(),
        severalSeconds ? Column.of(seconds.low) : null,
        severalSeconds ? Column.of(seconds.high) : null,
        latencies(byTime, buckets),
        Column.of(seconds.failed),
        extent.late() ? latencies(responses, buckets) : null);
  }

  private static int place(long key, int buckets) {
    return (int) Math.max(0, Math.min(buckets - 1, key));
  }

  private int buckets() {
    return (int) (Math.max(0, lastNanos()) / (timeSeconds * SECOND)) + 1;
  }

  private void readSeconds() throws QueryException {
    // The last second is incomplete and has no valid rate.
    long whole = lastNanos() / SECOND;
    String sql =
        """
        WITH seconds AS MATERIALIZED (
          SELECT greatest(%1$s, 0) // %2$s AS second, count(*) FILTER (%3$s) AS ingested,
            sum(duration_nanos) FILTER (%3$s) AS nanos,
            count(*) FILTER (NOT coalesce(%4$s, false)) AS failed
          FROM requests WHERE start_nanos IS NOT NULL GROUP BY second)
        SELECT 'bucket', (second // %5$s)::BIGINT AS key, sum(failed)::BIGINT,
          min(ingested) FILTER (second < %6$s), max(ingested), count(*) FILTER (second < %6$s),
          NULL, NULL
        FROM seconds GROUP BY key"""
            .formatted(
                clock.sinceOrigin("start_nanos + greatest(duration_nanos, 0)"),
                SECOND,
                RequestSql.INGESTED,
                RequestSql.SUCCEEDED,
                timeSeconds,
                whole);
    if (!inOrder()) {
      sql +=
          """

          UNION ALL
          SELECT 'point', (n // %1$s)::BIGINT AS key, NULL, NULL, NULL, NULL,
            sum(nanos) / sum(ingested), max(second) * %2$s + %2$s
          FROM (SELECT *, sum(ingested) OVER (ORDER BY second) - ingested AS n FROM seconds
            WHERE ingested > 0)
          GROUP BY key ORDER BY 1, 2"""
              .formatted(wantedPointObjects(), SECOND);
    }
    int buckets = buckets();
    seconds = new Seconds(buckets);
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        if (rows.text(0).equals("point")) {
          points.add(new long[] {rows.integer(7), Math.round(rows.decimal(6))});
          continue;
        }
        int bucket = place(rows.integer(1), buckets);
        seconds.failed[bucket] += rows.integer(2);
        long inBucket = Math.min(timeSeconds, whole - bucket * timeSeconds);
        boolean none = inBucket <= 0;
        long low = rows.integer(5) < inBucket ? 0 : rows.integer(3);
        seconds.low[bucket] = none ? Double.NaN : low;
        seconds.high[bucket] = none ? Double.NaN : rows.integer(4);
      }
    }
  }

  private static Latencies latencies(List<Bucket> filled, int buckets) {
    double[][] columns = new double[6][buckets];
    for (double[] column : columns) {
      Arrays.fill(column, Double.NaN);
    }
    for (Bucket bucket : filled) {
      for (int i = 0; i < columns.length; i++) {
        columns[i][place(bucket.key(), buckets)] = bucket.nanos()[i] / 1e6;
      }
    }
    return new Latencies(
        Column.of(columns[0]),
        Column.of(columns[1]),
        Column.of(columns[2]),
        Column.of(columns[3]),
        Column.of(columns[4]),
        Column.of(columns[5]));
  }

  /** Returns values by objects; null without any. */
  ByObjects byObjects() {
    if (byObjects.isEmpty()) {
      return null;
    }
    Column.Builder n = new Column.Builder();
    Column.Builder t = new Column.Builder();
    Column.Builder rate = new Column.Builder();
    long before = 0;
    // If a time slot has more objects than a bucket, keys are skipped.
    List<Bucket> inARow = new ArrayList<>();
    for (Bucket bucket : byObjects) {
      inARow.add(
          new Bucket(
              inARow.size(), bucket.first(), bucket.count(), bucket.nanos(), bucket.endNanos()));
      n.add(bucket.first());
      t.add(bucket.endNanos() / 1e9);
      long nanos = bucket.endNanos() - before;
      rate.add(nanos > 0 ? bucket.count() * 1e9 / nanos : Double.NaN);
      before = bucket.endNanos();
    }
    return new ByObjects(
        bucketObjects, n.build(), t.build(), rate.build(), latencies(inARow, inARow.size()));
  }

  /** Returns null without ingests. */
  Heat heat() {
    if (heat.isEmpty()) {
      return null;
    }
    long lastColumn = heat.stream().mapToLong(cell -> cell[0]).max().orElse(0);
    long firstRow = heat.stream().mapToLong(cell -> cell[1]).min().orElse(0);
    long lastRow = heat.stream().mapToLong(cell -> cell[1]).max().orElse(0);
    Column.Builder t = new Column.Builder();
    for (long column = 0; column <= lastColumn; column++) {
      t.add(column * heatSeconds);
    }
    Column.Builder edges = new Column.Builder();
    for (long row = firstRow; row <= lastRow + 1; row++) {
      edges.add(Math.exp((minCell + row * cellsInRow) / (double) CELLS_IN_E) / 1e6);
    }
    List<Cell> cells = new ArrayList<>();
    for (long[] cell : heat) {
      cells.add(new Cell((int) cell[0], (int) (cell[1] - firstRow), cell[2]));
    }
    return new Heat(heatSeconds, t.build(), edges.build(), cells);
  }
}
