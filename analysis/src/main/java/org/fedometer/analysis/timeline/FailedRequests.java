package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.timeline.RunTimeline.Errors;
import org.fedometer.analysis.timeline.RunTimeline.Failed;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/** Reads failed requests of a run; samples very many evenly. Stateless. */
final class FailedRequests {

  static final int MAX_ERRORS = 200;

  private static final int MAX_MESSAGE_LENGTH = 300;
  private static final int MAX_NAME_LENGTH = 200;

  private FailedRequests() {}

  /** Returns null without any requests. */
  static Errors of(Query query, TimelineClock clock, RequestExtent extent) throws QueryException {
    if (extent.requests() == 0) {
      return null;
    }
    List<Failed> list = new ArrayList<>();
    if (extent.failed() == 0) {
      return new Errors(0, list);
    }
    String sql =
        """
        SELECT coalesce(end_nanos, 0), left(coalesce(pid, ''), %1$s),
          left(coalesce(operation, ''), %1$s), attempt, status, left(coalesce(message, ''), %2$s)
        FROM (SELECT *, %3$s AS end_nanos,
            row_number() OVER (ORDER BY start_nanos + greatest(duration_nanos, 0), start_nanos,
              source, object_index, attempt) - 1 AS n
          FROM requests WHERE NOT coalesce(%4$s, false))
        WHERE %5$s <= %6$s OR (n + 1) * %6$s // %5$s > n * %6$s // %5$s
        ORDER BY n LIMIT %6$s"""
            .formatted(
                MAX_NAME_LENGTH,
                MAX_MESSAGE_LENGTH,
                clock.sinceOrigin("start_nanos + greatest(duration_nanos, 0)"),
                RequestSql.SUCCEEDED,
                extent.failed(),
                MAX_ERRORS);
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        list.add(
            new Failed(
                rows.integer(0) / 1e9,
                rows.text(1),
                rows.text(2),
                (int) rows.integer(3),
                (int) rows.integer(4),
                rows.text(5)));
      }
    }
    return new Errors(extent.failed(), list);
  }
}
