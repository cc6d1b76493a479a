package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fedometer.analysis.timeline.RunTimeline.Stage;
import org.fedometer.analysis.timeline.RunTimeline.Stages;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.rollup.Rollups;

/**
 * Computes busy stages over time from ten-second rollups, or, for higher resolution of short runs,
 * from samples. Stateless.
 */
final class StageTimeline {
  static final int MAX_STAGES = 8;
  static final String OTHERS = "others";

  private static final int MAX_BUCKETS = 600;

  /** Up to this number, as in a run of some minutes, samples are read. */
  private static final long MAX_SAMPLES = 3_000_000;

  private static final int MAX_FINE_BUCKETS = 240;
  private static final double MAX_FINE_SECONDS = 1_200;

  private StageTimeline() {}

  /**
   * @param ingestEndSeconds after it only triples belong to the ingest; infinite if it has not
   *     ended
   * @param outside stages that mostly ran outside requests
   * @return null if nothing is recorded
   */
  static Stages of(
      Query query,
      TimelineClock clock,
      double seconds,
      double ingestEndSeconds,
      Set<String> outside,
      long samples)
      throws QueryException {
    if (samples > 0 && samples <= MAX_SAMPLES && seconds <= MAX_FINE_SECONDS) {
      long bucket = BucketLength.of(seconds, MAX_FINE_BUCKETS);
      long ingestEnd = nanos(ingestEndSeconds);
      // A stage of a minute was busy all that minute, not only in the second of its end.
      String rows =
          """
          WITH samples_in_time AS (
            SELECT stage, self_nanos, moment, began, began // %1$s AS first, moment // %1$s AS last
            FROM (SELECT stage, self_nanos, %2$s AS moment, %3$s AS began FROM samples)
            WHERE moment >= 0 AND moment <= %4$s
              AND (began <= %5$s OR starts_with(stage, 'triples.')))
          SELECT stage, last::BIGINT AS bucket, self_nanos AS own FROM samples_in_time
          WHERE first >= last OR began < 0
          UNION ALL
          SELECT stage, bucket::BIGINT, (self_nanos::DOUBLE / (moment - began)
            * (least(moment, (bucket + 1) * %1$s) - greatest(began, bucket * %1$s)))::BIGINT
          FROM (SELECT *, unnest(range(first, last + 1)) AS bucket FROM samples_in_time
            WHERE first < last AND began >= 0)"""
              .formatted(
                  bucket * 1_000_000_000L,
                  clock.sinceOrigin("start_nanos + duration_nanos"),
                  clock.sinceOrigin("start_nanos"),
                  nanos(seconds),
                  ingestEnd);
      Stages fine = read(query, rows, bucket, 0, seconds, outside);
      if (fine != null) {
        return fine;
      }
    }
    Long origin = clock.originEpochNanos();
    if (origin == null) {
      return null;
    }
    // Rollups have fixed starts; the first of them precedes the run's start.
    double first = Math.floor(origin / 1e9 / Rollups.SECONDS) * Rollups.SECONDS;
    double offset = first - origin / 1e9;
    long bucket =
        Math.max(Rollups.SECONDS, BucketLength.of(seconds + Rollups.SECONDS, MAX_BUCKETS));
    String rows =
        """
        SELECT stage, ((begin_epoch_seconds - %1$s) // %2$s)::BIGINT AS bucket, sum_self_nanos AS own
        FROM rollups WHERE NOT starts_with(stage, '%3$s') AND begin_epoch_seconds >= %1$s
          AND begin_epoch_seconds <= %4$s
          AND (begin_epoch_seconds <= %5$s OR starts_with(stage, 'triples.'))"""
            .formatted(
                (long) first,
                bucket,
                Rollups.DRIVER_REQUEST,
                (long) (origin / 1e9 + seconds),
                (long) Math.min(1e15, origin / 1e9 + ingestEndSeconds));
    return read(query, rows, bucket, offset, seconds, outside);
  }

  private static long nanos(double seconds) {
    return (long) Math.min(seconds * 1e9, Long.MAX_VALUE / 2);
  }

  private static Stages read(
      Query query,
      String rowsOf,
      long bucketSeconds,
      double offsetSeconds,
      double seconds,
      Set<String> outside)
      throws QueryException {
    String sql =
        """
        WITH sums AS MATERIALIZED (
          SELECT coalesce(stage, '') AS stage, bucket, sum(own)::BIGINT AS own FROM (%1$s)
          GROUP BY ALL),
        placed AS (
          SELECT stage, row_number() OVER (ORDER BY sum(own) DESC, stage) AS place,
            count(*) OVER () AS of
          FROM sums GROUP BY stage),
        named AS (
          SELECT of <= %2$s OR place < %2$s AS shown, if(of <= %2$s OR place < %2$s, stage, '') AS name,
            bucket, own
          FROM sums JOIN placed USING (stage))
        SELECT shown, name, bucket, sum(own)::BIGINT FROM named GROUP BY shown, name, bucket"""
            .formatted(rowsOf, MAX_STAGES);
    Map<String, Map<Long, Long>> shown = new TreeMap<>();
    Map<Long, Long> others = new HashMap<>();
    long lastBucket = -1;
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        Map<Long, Long> of =
            rows.flag(0) ? shown.computeIfAbsent(rows.text(1), name -> new HashMap<>()) : others;
        of.merge(rows.integer(2), rows.integer(3), Long::sum);
        lastBucket = Math.max(lastBucket, rows.integer(2));
      }
    }
    if (shown.isEmpty() && others.isEmpty()) {
      return null;
    }
    int count = (int) Math.min(2L * MAX_BUCKETS, lastBucket + 1);
    double[] t = new double[count];
    double[] lengths = new double[count];
    for (int i = 0; i < count; i++) {
      double begin = offsetSeconds + i * bucketSeconds;
      t[i] = Math.max(0, begin);
      // At least a second, since a shorter end cannot contain all work that ended in it.
      lengths[i] = Math.max(1, Math.min(seconds, begin + bucketSeconds) - t[i]);
    }
    List<Map.Entry<String, Map<Long, Long>>> order = new ArrayList<>(shown.entrySet());
    order.sort(
        Comparator.comparing(
                (Map.Entry<String, Map<Long, Long>> of) -> outside.contains(of.getKey()))
            .thenComparing(of -> -of.getValue().values().stream().mapToLong(own -> own).sum()));
    List<Stage> list = new ArrayList<>();
    order.forEach(
        of ->
            list.add(
                new Stage(
                    of.getKey(), outside.contains(of.getKey()), selfTime(of.getValue(), lengths))));
    if (!others.isEmpty()) {
      int requests = (int) list.stream().filter(stage -> !stage.outside()).count();
      list.add(
          requests == 0 ? list.size() : requests,
          new Stage(OTHERS, false, selfTime(others, lengths)));
    }
    return new Stages(bucketSeconds, Column.of(t), list);
  }

  private static Column selfTime(Map<Long, Long> nanosByBucket, double[] lengths) {
    double[] self = new double[lengths.length];
    Arrays.setAll(self, i -> nanosByBucket.getOrDefault((long) i, 0L) / 1e9 / lengths[i]);
    return Column.of(self);
  }
}
