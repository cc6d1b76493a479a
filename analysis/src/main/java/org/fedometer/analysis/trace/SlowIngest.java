package org.fedometer.analysis.trace;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.fedometer.analysis.trace.ObjectTrace.Attempt;
import org.fedometer.analysis.trace.ObjectTrace.Request;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/**
 * A slow ingest with its stages. Immutable.
 *
 * @param objectIndex number of the object in its dataset
 * @param startNanos start of its request, by its driver's clock
 * @param attempt as measured by driver and Fedora, without log lines
 */
public record SlowIngest(String pid, long objectIndex, long startNanos, Attempt attempt) {

  private record Row(
      String pid, long objectIndex, long startNanos, String bootId, Request request) {}

  /**
   * Returns the slowest successful ingests of a run, slowest first. Reads requests once; with one
   * clock for driver and Fedora, only traces and samples near these ingests.
   *
   * @param max maximum number, at least 1
   */
  public static List<SlowIngest> of(Query query, int max) throws QueryException {
    List<Row> slowest = new ArrayList<>();
    // Whole rows are read only for the few results.
    String sql =
        """
        SELECT coalesce(r.pid, ''), object_index, start_nanos, coalesce(attributes, ''), r.source,
          attempt, worker, nullif(epoch_offset_nanos, 0), start_nanos - intended_start_nanos,
          duration_nanos, status, content_bytes, coalesce(traceparent, ''), coalesce(message, ''),
          operation
        FROM (SELECT * FROM requests
          WHERE %s
          ORDER BY duration_nanos DESC, start_nanos, source, object_index LIMIT %s) r
        LEFT JOIN sources s USING (source)
        ORDER BY duration_nanos DESC, start_nanos, r.source, object_index"""
            .formatted(RequestSql.INGESTED, max);
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        slowest.add(row(rows));
      }
    }
    if (slowest.isEmpty()) {
      return List.of();
    }
    boolean oneClock = oneClock(query);
    List<SlowIngest> list = new ArrayList<>();
    for (Row row : slowest) {
      Attempt attempt =
          new TraceFinder("", row.pid(), query)
              .brief(row.request(), row.startNanos(), row.bootId(), oneClock);
      list.add(new SlowIngest(row.pid(), row.objectIndex(), row.startNanos(), attempt));
    }
    return list;
  }

  private static Row row(Rows rows) throws QueryException {
    long start = rows.integer(2);
    Request request =
        new Request(
            rows.text(4),
            rows.text(14),
            (int) rows.integer(5),
            (int) rows.integer(6),
            rows.value(7) == null ? null : (Long) (rows.integer(7) + start),
            rows.integer(8),
            rows.integer(9),
            (int) rows.integer(10),
            rows.integer(11),
            rows.text(12),
            rows.text(13));
    String bootId = SourceAttributes.bootId(rows.text(3));
    return new Row(rows.text(0), rows.integer(1), start, bootId, request);
  }

  /** Returns whether drivers and agents all report the same boot of one host. */
  private static boolean oneClock(Query query) throws QueryException {
    Set<String> boots = new HashSet<>();
    try (Rows rows =
        query.execute(
            "SELECT coalesce(attributes, '') FROM sources WHERE kind IN ('driver', 'agent')")) {
      while (rows.next()) {
        boots.add(SourceAttributes.bootId(rows.text(0)));
      }
    }
    return boots.size() == 1 && !boots.contains("");
  }
}
