package org.fedometer.analysis.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.analysis.UnsealedData;
import org.fedometer.analysis.logs.RunLogs;
import org.fedometer.analysis.report.RunReport.FailureGroup;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.LogCounts;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/**
 * Queries of {@link ReportBuilder}, one SELECT each, since the run may be remote; no sample or
 * request is ever loaded into Java.
 */
final class RunTables {

  static final int MAX_FAILURE_GROUPS = 20;

  private static final String SUCCEEDED = RequestSql.SUCCEEDED;
  private static final String INGEST = "operation = 'ingest'";

  private final Query query;

  RunTables(Query query) {
    this.query = query;
  }

  /**
   * @param sent all requests; {@code retried} and {@code failed} also refer to all
   * @param ingestsSent attempts to ingest an object; all that follows refers to ingests
   * @param firstStartNanos nanoTime, 0 if there is none, as the next two
   * @param lastAnswerNanos end of the last successful one
   */
  record RequestSummary(
      long sent,
      long retried,
      long failed,
      long ingestsSent,
      long objectsTried,
      long objectsIngested,
      long answered,
      double meanAnsweredNanos,
      long firstStartNanos,
      long lastEndNanos,
      long lastAnswerNanos) {}

  /** Counts objects by bits, 32 per row: a row for each of 14 million is five times as slow. */
  RequestSummary requestSummary() throws QueryException {
    String sql =
        """
        WITH objects AS MATERIALIZED (
          SELECT bit_or(1::BIGINT << (object_index & 31)::INTEGER) AS tried,
            bit_or(1::BIGINT << (object_index & 31)::INTEGER) FILTER (%1$s) AS ingested
          FROM requests WHERE %2$s GROUP BY object_index >> 5)
        SELECT count(*), count(*) FILTER (attempt > 1), count(*) FILTER (NOT (%1$s)),
          count(*) FILTER (%2$s),
          (SELECT coalesce(sum(bit_count(tried)), 0)::BIGINT FROM objects),
          (SELECT coalesce(sum(bit_count(ingested)), 0)::BIGINT FROM objects),
          count(*) FILTER (%2$s AND status > 0),
          coalesce(avg(duration_nanos) FILTER (%2$s AND status > 0), 0),
          coalesce(min(start_nanos) FILTER (%2$s), 0),
          coalesce(max(start_nanos + duration_nanos) FILTER (%2$s), 0),
          coalesce(max(start_nanos + duration_nanos) FILTER (%3$s), 0)
        FROM requests"""
            .formatted(SUCCEEDED, INGEST, RequestSql.INGESTED);
    try (Rows row = query.execute(sql)) {
      row.next();
      return new RequestSummary(
          row.integer(0),
          row.integer(1),
          row.integer(2),
          row.integer(3),
          row.integer(4),
          row.integer(5),
          row.integer(6),
          row.decimal(7),
          row.integer(8),
          row.integer(9),
          row.integer(10));
    }
  }

  /**
   * Returns requests by operation, ingests first, then the most frequent. Percentiles are exact. A
   * worker sends the attempts of a request consecutively.
   */
  List<Operation> operations() throws QueryException {
    String sql =
        """
        WITH attempts AS (
          SELECT operation, %1$s AS succeeded, attempt, lead(attempt) OVER (
              PARTITION BY source, worker, operation, object_index, pid ORDER BY start_nanos)
            AS next_attempt
          FROM requests WHERE attempt > 1 OR NOT (%1$s)),
        given_up AS (
          SELECT operation, count(*) AS given_up FROM attempts
          WHERE NOT succeeded AND next_attempt IS DISTINCT FROM attempt + 1 GROUP BY operation)
        SELECT coalesce(operation, ''), count(*), count(*) FILTER (NOT (%1$s)),
          coalesce(any_value(given_up), 0), count(*) FILTER (%5$s),
          %2$s, %3$s
        FROM (SELECT *, start_nanos + duration_nanos - intended_start_nanos AS response_nanos
          FROM requests) LEFT JOIN given_up USING (operation)
        GROUP BY operation ORDER BY %4$s DESC, count(*) DESC, operation"""
            .formatted(
                SUCCEEDED,
                latencyColumns("duration_nanos", " FILTER (" + RequestSql.MEASURED + ")"),
                latencyColumns("response_nanos", " FILTER (" + RequestSql.MEASURED + ")"),
                INGEST,
                RequestSql.LATE);
    List<Operation> operations = new ArrayList<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        operations.add(
            new Operation(
                rows.text(0),
                rows.integer(1),
                rows.integer(2),
                rows.integer(3),
                rows.integer(4),
                latency(rows, 5),
                latency(rows, 5 + LATENCY_COLUMNS)));
      }
    }
    return operations;
  }

  /**
   * Triples that Fedora has accepted and the triplestore has not.
   *
   * @param updates in the failed flushes; 0 if unknown. Includes batches of a flush written before
   *     the failed one, which are not lost
   * @param reason of the first failure, or empty
   */
  record LostTriples(long flushesFailed, long updates, String reason) {}

  LostTriples lostTriples() throws QueryException {
    String sql =
        """
        SELECT greatest(
            (SELECT coalesce(sum(failed), 0)::BIGINT FROM totals WHERE stage = 'triples.flush'),
            (SELECT count(*) FROM telemetry WHERE metric = 'triples.flush.lost')),
          (SELECT coalesce(sum(value), 0)::BIGINT FROM telemetry
            WHERE metric = 'triples.flush.lost'),
          coalesce(
            (SELECT arg_min(regexp_replace(message, '^triples lost: (.* updates? failed: )?', ''),
                at_nanos)
              FROM logs WHERE logger = 'org.fedometer.agent' AND starts_with(message, 'triples lost: ')),
            (SELECT arg_min(message, at_nanos) FROM logs
              WHERE regexp_matches(message, '^Error (auto-)?flushing update buffer')), '')""";
    try (Rows row = query.execute(sql)) {
      row.next();
      return new LostTriples(row.integer(0), row.integer(1), row.text(2));
    }
  }

  /** Counts lines except those of {@code fedora.log} that an agent has also sent. */
  LogCounts logCounts() throws QueryException {
    String sql =
        """
        SELECT count(*) FILTER (upper(level) = 'WARN'),
          count(*) FILTER (upper(level) IN ('ERROR', 'FATAL')),
          (SELECT coalesce(sum(log_events_assumed), 0)::BIGINT FROM sources)
        FROM %s"""
            .formatted(RunLogs.DEDUPLICATED_LOGS);
    try (Rows row = query.execute(sql)) {
      row.next();
      return new LogCounts(row.integer(0), row.integer(1), row.integer(2));
    }
  }

  /** Returns the number of arrived samples, including unsealed ones. */
  long samplesArrived() throws QueryException {
    try (Rows row =
        query.execute(
            "SELECT coalesce(sum(count), 0)::BIGINT FROM " + UnsealedData.SAMPLE_ROLLUPS)) {
      row.next();
      return row.integer(0);
    }
  }

  /**
   * Returns failed requests by operation, status and message. Messages often contain the object's
   * PID, which is removed for grouping.
   */
  List<FailureGroup> failureGroups() throws QueryException {
    String sql =
        """
        SELECT coalesce(operation, ''), count(*), status,
          arg_min(coalesce(message, ''), start_nanos), arg_min(coalesce(pid, ''), start_nanos)
        FROM requests WHERE NOT (%s)
        GROUP BY operation, status, CASE WHEN coalesce(pid, '') = '' THEN coalesce(message, '')
          ELSE replace(coalesce(message, ''), pid, '') END
        ORDER BY count(*) DESC, min(start_nanos) LIMIT %s"""
            .formatted(SUCCEEDED, MAX_FAILURE_GROUPS);
    List<FailureGroup> groups = new ArrayList<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        groups.add(
            new FailureGroup(
                rows.text(0),
                rows.integer(1),
                Math.toIntExact(rows.integer(2)),
                rows.text(3),
                rows.text(4)));
      }
    }
    return groups;
  }

  /** Successful ingests. */
  private static final String ANSWERED =
      """
      SELECT start_nanos + duration_nanos AS end_nanos, duration_nanos, object_index
      FROM requests WHERE %s"""
          .formatted(RequestSql.INGESTED);

  /** The same in order of completion, numbered from 0. */
  private static final String COMPLETIONS =
      "SELECT row_number() OVER (ORDER BY end_nanos, object_index) - 1 AS n, end_nanos, duration_nanos FROM ("
          + ANSWERED
          + ")";

  /**
   * Returns the successful ingests in order of completion. DuckDB returns them unordered, which
   * saves a second sort.
   */
  Completions completions(long ingests) throws QueryException {
    int each = Completions.objectsEach(ingests);
    String sql =
        """
        SELECT n // %1$s, avg(duration_nanos), max(end_nanos) FROM (%2$s)
        WHERE n < ? GROUP BY n // %1$s"""
            .formatted(each, COMPLETIONS);
    double[] means = new double[Math.toIntExact(ingests / each)];
    long[] ends = new long[means.length];
    try (Rows rows = query.execute(sql, (long) means.length * each)) {
      while (rows.next()) {
        int index = Math.toIntExact(rows.integer(0));
        means[index] = rows.decimal(1);
        ends[index] = rows.integer(2);
      }
    }
    return new Completions(each, means, ends);
  }

  /**
   * Service times before and after a point, in order of completion.
   *
   * @param cold of the ingests before it, null if there are none
   * @param warm of the ingests after it, null if there are none
   * @param coldEndNanos completion of the last cold one, nanoTime, 0 if there are none
   */
  record ColdAndWarm(Latency cold, Latency warm, long coldEndNanos) {}

  /** Finds the last cold ingest first, so that the others need no sorting. */
  ColdAndWarm coldAndWarm(long coldObjects) throws QueryException {
    long lastEndNanos = Long.MIN_VALUE;
    long lastObject = Long.MIN_VALUE;
    if (coldObjects > 0) {
      try (Rows last =
          query.execute(
              "SELECT end_nanos, object_index FROM (%s) ORDER BY end_nanos, object_index LIMIT 1 OFFSET ?"
                  .formatted(ANSWERED),
              coldObjects - 1)) {
        last.next();
        lastEndNanos = last.integer(0);
        lastObject = last.integer(1);
      }
    }
    String sql =
        "SELECT coalesce(end_nanos < ? OR (end_nanos = ? AND object_index <= ?), false) AS cold, "
            + latencyColumns("duration_nanos", "")
            + ", max(end_nanos) FROM ("
            + ANSWERED
            + ") GROUP BY cold";
    Latency cold = null;
    Latency warm = null;
    long coldEndNanos = 0;
    try (Rows rows = query.execute(sql, lastEndNanos, lastEndNanos, lastObject)) {
      while (rows.next()) {
        if (rows.flag(0)) {
          cold = latency(rows, 1);
          coldEndNanos = rows.integer(5);
        } else {
          warm = latency(rows, 1);
        }
      }
    }
    return new ColdAndWarm(cold, warm, coldEndNanos);
  }

  /**
   * Returns columns; {@code quantile_disc} is the smallest value that at least that share does not
   * exceed.
   */
  static String latencyColumns(String nanos, String filter) {
    return "count(*)%2$s, avg(%1$s)%2$s, max(%1$s)%2$s, quantile_disc(%1$s, [0.5, 0.95, 0.99])%2$s"
        .formatted(nanos, filter);
  }

  private static final int LATENCY_COLUMNS = 4;

  static Latency latency(Rows row, int column) throws QueryException {
    long count = row.integer(column);
    if (count == 0) {
      return null;
    }
    List<?> percentiles = (List<?>) row.value(column + 3);
    return new Latency(
        count,
        row.decimal(column + 1),
        (Long) percentiles.get(0),
        (Long) percentiles.get(1),
        (Long) percentiles.get(2),
        row.integer(column + 2));
  }

  /**
   * A source of the run.
   *
   * @param hasTotals whether it reported totals; otherwise they are 0
   */
  record Recorded(
      String name,
      boolean hasTotals,
      long samples,
      long samplesDropped,
      long framesDropped,
      long tracesDropped,
      long stagesSkipped,
      long threadsRefused,
      boolean finalTotals) {
    static final Recorded NOTHING = new Recorded("", false, 0, 0, 0, 0, 0, 0, false);
  }

  /** Returns all sources with their totals over the whole run, by UUID. */
  Map<String, Recorded> sources() throws QueryException {
    String sql =
        """
        WITH counted AS (
          SELECT source, sum("count") AS recorded, max(samples_dropped) AS dropped,
            max(frames_dropped) AS frames_dropped, max(traces_dropped) AS traces_dropped,
            max(stages_skipped) AS stages_skipped, max(threads_refused) AS threads_refused,
            bool_or("last") AS final_totals
          FROM totals GROUP BY source)
        SELECT source, coalesce(sources.name, ''), recorded IS NOT NULL,
          coalesce(recorded, 0)::BIGINT, coalesce(dropped, 0)::BIGINT,
          coalesce(counted.frames_dropped, 0)::BIGINT, coalesce(traces_dropped, 0)::BIGINT,
          coalesce(stages_skipped, 0)::BIGINT, coalesce(threads_refused, 0)::BIGINT,
          coalesce(final_totals, false)
        FROM counted FULL JOIN sources USING (source)
        WHERE source IS NOT NULL""";
    Map<String, Recorded> sources = new TreeMap<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        sources.put(
            rows.text(0),
            new Recorded(
                rows.text(1),
                rows.flag(2),
                rows.integer(3),
                rows.integer(4),
                rows.integer(5),
                rows.integer(6),
                rows.integer(7),
                rows.integer(8),
                rows.flag(9)));
      }
    }
    return sources;
  }
}
