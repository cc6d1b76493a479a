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
 * Reads what a run has of a trace: samples, the flush that wrote its triples, lines of the log. It
 * is asked for with a range of time wherever the clocks are known, so that of a hundred millions of
 * samples only those near the request are read. One thread.
 */
final class TraceRecords {

  /** A trace with more samples than this is shown without the rest. */
  static final int MAX_SAMPLES = 50_000;

  static final int MAX_LOG_LINES = 500;

  /** Work of a trace on other threads may begin before the request, by clocks, and end after it. */
  private static final long SLACK_NANOS = 60_000_000_000L;

  private final Query query;

  TraceRecords(Query query) {
    this.query = query;
  }

  /**
   * One more than are shown, if there are more.
   *
   * @param sent the trace's request; may be null where the shift is not known
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
   * The flush that wrote the object's triples. Trippi takes what its buffer holds when a flush
   * begins, so that is the first one to begin after they were added. None where they were flushed
   * within the request, or where no triples were added.
   *
   * @param zeroNanos the agent's reading at the attempt's beginning
   * @param withinNanos it is looked for so long after they were added
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
   * One more than are shown, if there are more.
   *
   * @param zeroNanos the agent's reading at the attempt's beginning
   * @param endNanos when the last of the samples ended
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
