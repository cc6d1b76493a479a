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
 * The successful ingests of a run, as the driver timed them, without the time in which the load was
 * paused or its driver not there. Immutable.
 *
 * @param service from when a request was sent to the end of its answer
 * @param response of the same requests from when they were due; null in a closed model, where a
 *     request is due when it is sent
 * @param clock of the times in both
 */
record RequestSeries(Series service, Series response, LoadClock clock) {

  /** Empty where no ingest was acknowledged. */
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
                // Of one order with a report, so that both find the same warm-up.
                + " ORDER BY start_nanos + duration_nanos, object_index")) {
      // Of a run that still grows there may be more by now.
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

  /** When request {@code index} was completed, nanoTime. */
  long completedAtNanos(int index) {
    return clock.nanoTime(service.completionNanos(index));
  }
}
