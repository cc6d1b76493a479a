package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.timeline.RunTimeline.Gc;
import org.fedometer.analysis.timeline.RunTimeline.GcPause;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/** Computes garbage collection pauses over time. Stateless. */
final class GcTimeline {
  private static final int MAX_BUCKETS = 600;
  private static final int MAX_PAUSES = 20;
  private static final int MAX_TEXT_LENGTH = 80;

  private GcTimeline() {}

  /** Returns null without recorded pauses: there were none, or no source reported them. */
  static Gc of(Query query, TimelineClock clock, double seconds) throws QueryException {
    long bucketSeconds = BucketLength.of(seconds, MAX_BUCKETS);
    long bucketNanos = bucketSeconds * 1_000_000_000L;
    long lastNanos = (long) (seconds * 1e9);
    int buckets = (int) (lastNanos / bucketNanos) + 1;
    double[] share = new double[buckets];
    double[] max = new double[buckets];
    long count = 0;
    double sum = 0;
    String inTime =
        """
        (SELECT %1$s AS moment, least(duration_nanos, %2$s + %3$s) AS duration_nanos, collector,
            action, cause FROM gc
          WHERE start_nanos IS NOT NULL AND duration_nanos >= 0)
        WHERE moment BETWEEN 0 AND %2$s"""
            .formatted(clock.sinceOrigin("start_nanos"), lastNanos, bucketNanos);
    // A pause is divided among all buckets that it overlaps.
    String sql =
        """
        SELECT bucket, count(*) FILTER (bucket = first), sum(duration_nanos) FILTER (bucket = first),
          sum(least(moment + duration_nanos, (bucket + 1) * %1$s) - greatest(moment, bucket * %1$s)),
          max(duration_nanos) FILTER (bucket = first)
        FROM (SELECT moment, duration_nanos, moment // %1$s AS first,
            unnest(range(moment // %1$s, least((moment + duration_nanos) // %1$s, %2$s) + 1)) AS bucket
          FROM %3$s)
        GROUP BY bucket"""
            .formatted(bucketNanos, buckets - 1, inTime);
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        int bucket = (int) rows.integer(0);
        count += rows.integer(1);
        sum += rows.decimal(2);
        share[bucket] = Math.min(1, rows.decimal(3) / bucketNanos);
        max[bucket] = rows.value(4) == null ? Double.NaN : rows.decimal(4) / 1e6;
      }
    }
    if (count == 0) {
      return null;
    }
    double[] t = new double[buckets];
    for (int i = 0; i < buckets; i++) {
      t[i] = i * bucketSeconds;
      max[i] = max[i] == 0 ? Double.NaN : max[i];
    }
    List<GcPause> longestPauses = new ArrayList<>();
    try (Rows rows =
        query.execute(
            """
            SELECT moment, duration_nanos, left(coalesce(collector, ''), %1$s),
              left(coalesce(action, ''), %1$s), left(coalesce(cause, ''), %1$s)
            FROM %2$s ORDER BY duration_nanos DESC, moment, 3, 4, 5 LIMIT %3$s"""
                .formatted(MAX_TEXT_LENGTH, inTime, MAX_PAUSES))) {
      while (rows.next()) {
        longestPauses.add(
            new GcPause(
                rows.integer(0) / 1e9,
                rows.integer(1) / 1e6,
                rows.text(2),
                rows.text(3),
                rows.text(4)));
      }
    }
    return new Gc(
        count,
        sum / 1e9,
        bucketSeconds,
        Column.of(t),
        Column.of(share),
        Column.of(max),
        longestPauses);
  }
}
