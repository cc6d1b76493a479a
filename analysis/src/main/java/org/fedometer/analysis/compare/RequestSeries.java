package org.fedometer.analysis.compare;

import java.util.Arrays;
import java.util.Optional;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.statistics.Resolution;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.store.RunDocument;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/**
 * Successful ingests of a run with the driver's times, without times of a paused load or absent
 * driver. Immutable.
 *
 * @param service from the actual start of a request to the end of its response
 * @param response of the same requests from their intended start; null in a closed model, where
 *     both are equal
 * @param clock of the times in both
 */
record RequestSeries(Series service, Series response, LoadClock clock) {

  /** Returns empty without acknowledged ingests. */
  static Optional<RequestSeries> of(Query query, RunDocument run) throws QueryException {
    long count;
    boolean open;
    try (Rows row =
        query.execute(
            "SELECT count(*) FILTER ("
                + RequestSql.INGESTED
                + "), coalesce(bool_or("
                + RequestSql.LATE
                + "), false) FROM requests")) {
      row.next();
      count = row.integer(0);
      open = RunReport.openModel(run, row.flag(1));
    }
    if (count == 0) {
      return Optional.empty();
    }
    LoadClock clock = LoadClock.of(run);
    int max = Math.toIntExact(count);
    long[] starts = new long[max];
    long[] durations = new long[max];
    long[] intendedStart = open ? new long[max] : null;
    long[] waits = open ? new long[max] : null;
    int read = 0;
    String columns = open ? ", intended_start_nanos" : "";
    try (Rows rows =
        query.execute(
            "SELECT start_nanos, duration_nanos"
                + columns
                + " FROM requests WHERE "
                + RequestSql.INGESTED
                // In the order of reports, so that both detect the same warm-up.
                + " ORDER BY start_nanos + duration_nanos, object_index")) {
      // A growing run may have more by now.
      while (read < max && rows.next()) {
        long start = rows.integer(0);
        long duration = rows.integer(1);
        long end = clock.loadedNanos(start + duration);
        starts[read] = end - duration;
        durations[read] = duration;
        if (open) {
          long response = Math.max(duration, start + duration - rows.integer(2));
          intendedStart[read] = end - response;
          waits[read] = response;
        }
        read++;
      }
    }
    if (read == 0) {
      return Optional.empty();
    }
    long[] serviceNanos = cut(durations, read);
    long resolution = resolutionNanos(run, serviceNanos);
    return Optional.of(
        new RequestSeries(
            Series.of(cut(starts, read), serviceNanos, resolution),
            open ? Series.of(cut(intendedStart, read), cut(waits, read), resolution) : null,
            clock));
  }

  private static long resolutionNanos(RunDocument run, long[] durations) {
    RunDocument.Imported imported = run.imported();
    if (imported == null) {
      return Resolution.of(durations, 1);
    }
    return imported.resolutionNanos() == null
        ? Resolution.of(durations, imported.unitNanos())
        : imported.resolutionNanos();
  }

  private static long[] cut(long[] values, int length) {
    return values.length == length ? values : Arrays.copyOf(values, length);
  }

  /** Returns the completion of request {@code index}, nanoTime. */
  long completedAtNanos(int index) {
    return clock.nanoTime(service.completionNanos(index));
  }
}
