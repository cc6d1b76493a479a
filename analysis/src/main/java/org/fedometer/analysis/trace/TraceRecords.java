package org.fedometer.analysis.trace;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.trace.ObjectTrace.LogLine;
import org.fedometer.analysis.trace.ObjectTrace.Span;
import org.fedometer.analysis.trace.ObjectTrace.Trace;
import org.fedometer.analysis.trace.Waterfall.Sample;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * Reads the records of a trace: samples, the flush that wrote its triples, log lines. If the clocks
 * are known, queries have a time range, so that of a hundred million samples only nearby ones are
 * read. One thread.
 */
final class TraceRecords {

  /** Limit of displayed samples per trace. */
  static final int MAX_SAMPLES = 50_000;

  static final int MAX_LOG_LINES = 500;

  /**
   * Tolerance for work of a trace on other threads that starts before the request, by clocks, or
   * ends after it.
   */
  private static final long SLACK_NANOS = 60_000_000_000L;

  private final Query query;

  TraceRecords(Query query) {
    this.query = query;
  }

  /**
   * Returns at most one more than displayed.
   *
   * @param sent the trace's request; may be null if the shift is unknown
   */
  List<Sample> samples(Trace trace, ClockShift shift, SentRequest sent) throws QueryException {
    List<Object> parameters = new ArrayList<>(List.of(trace.source(), trace.number()));
    String range = "";
    if (shift.nanos() != null) {
      range = " AND start_nanos BETWEEN ? AND ?";
      long start = sent.startNanos() + shift.nanos();
      long slack = SLACK_NANOS + shift.uncertaintyNanos();
      parameters.add(start - slack);
      parameters.add(start + sent.request().durationNanos() + slack);
    }
    parameters.add(MAX_SAMPLES + 1);
    return samples("trace = ?", range, "LIMIT ?", parameters);
  }

  private List<Sample> samples(String which, String range, String limit, List<Object> parameters)
      throws QueryException {
    List<Sample> samples = new ArrayList<>();
    try (Rows rows =
        query.execute(
            "SELECT coalesce(stage, ''), coalesce(thread, ''), start_nanos, duration_nanos, self_nanos,"
                + " failed FROM samples WHERE source = ? AND "
                + which
                + range
                + " ORDER BY start_nanos, duration_nanos DESC, self_nanos, stage "
                + limit,
            parameters.toArray())) {
      while (rows.next()) {
        samples.add(
            new Sample(
                rows.text(0),
                rows.text(1),
                rows.integer(2),
                rows.integer(3),
                rows.integer(4),
                rows.flag(5)));
      }
    }
    return samples;
  }

  /**
   * Returns the flush that wrote the object's triples. Trippi flushes the buffer's content at a
   * flush's start, so it is the first flush started after they were added. Empty if they were
   * flushed within the request, or none were added.
   *
   * @param zeroNanos the agent's time at the attempt's start
   * @param withinNanos limit of the search after they were added
   */
  List<Span> flushAfter(Trace trace, List<Sample> samples, long zeroNanos, long withinNanos)
      throws QueryException {
    long added =
        samples.stream()
            .filter(sample -> sample.stage().equals("triples.add"))
            .mapToLong(Sample::endNanos)
            .max()
            .orElse(Long.MAX_VALUE);
    boolean flushedAtOnce =
        samples.stream().anyMatch(sample -> sample.stage().equals("triples.flush"));
    if (added == Long.MAX_VALUE || flushedAtOnce) {
      return List.of();
    }
    List<Sample> flush =
        samples(
            "stage = 'triples.flush'",
            " AND start_nanos BETWEEN ? AND ?",
            "LIMIT 1",
            List.of(trace.source(), added, added + withinNanos));
    if (flush.isEmpty()) {
      return List.of();
    }
    Sample first = flush.get(0);
    return Waterfall.trees(
        samples(
            "thread = ?",
            " AND start_nanos BETWEEN ? AND ? AND start_nanos + duration_nanos <= ?"
                + " AND starts_with(stage, 'triples.')",
            "LIMIT ?",
            List.of(
                trace.source(),
                first.thread(),
                first.startNanos(),
                first.endNanos(),
                first.endNanos(),
                MAX_SAMPLES)),
        zeroNanos);
  }

  /**
   * Returns at most one more than displayed.
   *
   * @param zeroNanos the agent's time at the attempt's start
   * @param endNanos end of the last sample
   */
  List<LogLine> logs(Trace trace, List<Sample> samples, long zeroNanos, long endNanos)
      throws QueryException {
    if (trace.number() == 0) {
      return List.of();
    }
    List<Object> parameters = new ArrayList<>(List.of(trace.source(), trace.number()));
    String range = "";
    if (!samples.isEmpty()) {
      range = " AND at_nanos BETWEEN ? AND ?";
      parameters.add(samples.get(0).startNanos() - SLACK_NANOS);
      parameters.add(endNanos + SLACK_NANOS);
    }
    parameters.add(MAX_LOG_LINES + 1);
    List<LogLine> logs = new ArrayList<>();
    try (Rows rows =
        query.execute(
            "SELECT at_nanos, coalesce(level, ''), coalesce(logger, ''), coalesce(thread, ''),"
                + " coalesce(message, ''), coalesce(thrown, '') FROM logs"
                + " WHERE source = ? AND trace = ?"
                + range
                + " ORDER BY at_nanos LIMIT ?",
            parameters.toArray())) {
      while (rows.next()) {
        logs.add(
            new LogLine(
                rows.integer(0) - zeroNanos,
                rows.text(1),
                rows.text(2),
                rows.text(3),
                rows.text(4),
                rows.text(5)));
      }
    }
    return logs;
  }
}
