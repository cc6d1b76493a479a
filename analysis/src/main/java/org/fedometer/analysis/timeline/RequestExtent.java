package org.fedometer.analysis.timeline;

import org.fedometer.analysis.IngestWindow;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/**
 * The number and time range of a run's requests, which determine bucket lengths. Times are since
 * the origin. Immutable, safe on any thread.
 *
 * @param ingested successful ingests
 * @param failed requests of any operation
 * @param late whether any ingest was late
 * @param firstNanos start of the first ingest, successful or not; null without one
 * @param lastNanos last response to any request; null without one
 */
record RequestExtent(
    long requests,
    long ingested,
    long failed,
    boolean late,
    Long firstNanos,
    Long lastNanos,
    long minDurationNanos,
    long maxDurationNanos) {

  /** Queries the extent; without an origin, times are the clock's own. */
  static RequestExtent of(Query query, TimelineClock clock) throws QueryException {
    String end = clock.sinceOrigin("start_nanos + greatest(duration_nanos, 0)");
    try (Rows row =
        query.execute(
            """
            SELECT count(*), count(*) FILTER (%1$s), count(*) FILTER (NOT coalesce(%2$s, false)),
              coalesce(bool_or(%3$s) FILTER (%1$s), false),
              min(%4$s) FILTER (operation = 'ingest'), max(%5$s),
              coalesce(min(duration_nanos) FILTER (%1$s), 0),
              coalesce(max(duration_nanos) FILTER (%1$s), 0)
            FROM requests"""
                .formatted(
                    RequestSql.INGESTED,
                    RequestSql.SUCCEEDED,
                    RequestSql.LATE,
                    clock.sinceOrigin("start_nanos"),
                    end))) {
      row.next();
      return new RequestExtent(
          row.integer(0),
          row.integer(1),
          row.integer(2),
          row.flag(3),
          row.value(4) == null ? null : (Long) row.integer(4),
          row.value(5) == null ? null : (Long) row.integer(5),
          row.integer(6),
          row.integer(7));
    }
  }

  /**
   * Returns the origin of a run's times: the start of its ingest phase, or else of its first
   * ingest; null without either.
   *
   * @param phases by the clock of these times
   */
  Long originNanos(IngestWindow phases) {
    return phases.equals(IngestWindow.NONE) ? firstNanos : (Long) phases.startNanos();
  }

  RequestExtent from(long originNanos) {
    return new RequestExtent(
        requests,
        ingested,
        failed,
        late,
        firstNanos == null ? null : (Long) (firstNanos - originNanos),
        lastNanos == null ? null : (Long) (lastNanos - originNanos),
        minDurationNanos,
        maxDurationNanos);
  }
}
