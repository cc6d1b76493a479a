package org.fedometer.analysis;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.RunReport.FailureGroup;
import org.fedometer.analysis.RunReport.Latency;
import org.fedometer.analysis.RunReport.Source;
import org.fedometer.analysis.RunReport.Stage;

/**
 * The questions that {@link ReportBuilder} asks of a run's tables, each one statement that DuckDB
 * answers in one pass; no sample and no request is ever brought to Java. Percentiles are {@code
 * quantile_disc}: the smallest value that at least that share of the values does not exceed.
 */
final class RunTables {

  /** Failed requests are shown in at most this many groups. */
  static final int MOST_FAILURE_GROUPS = 20;

  private static final String SUCCEEDED = "status BETWEEN 200 AND 299";
  private static final String PERCENTILES = "quantile_disc(%s, [0.5, 0.95, 0.99])";

  private final Connection connection;

  RunTables(Connection connection) {
    this.connection = connection;
  }

  /** What the requests table holds in short. Times are nanoTime, 0 where there is no request. */
  record RequestSummary(
      long sent,
      long retried,
      long failed,
      long objectsTried,
      long objectsIngested,
      long answered,
      double meanAnsweredNanos,
      long firstStartNanos,
      long lastEndNanos) {}

  RequestSummary requestSummary() throws SQLException {
    String sql =
        """
        SELECT count(*), count(*) FILTER (attempt > 1), count(*) FILTER (NOT (%1$s)),
          count(DISTINCT object_index), count(DISTINCT object_index) FILTER (%1$s),
          count(*) FILTER (status > 0),
          coalesce(avg(duration_nanos) FILTER (status > 0), 0),
          coalesce(min(start_nanos), 0), coalesce(max(start_nanos + duration_nanos), 0)
        FROM requests"""
            .formatted(SUCCEEDED);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new RequestSummary(
          row.getLong(1),
          row.getLong(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getDouble(7),
          row.getLong(8),
          row.getLong(9));
    }
  }

  /**
   * Failed requests by status and message. A message often names the object, so the PID is taken
   * out before messages are compared.
   */
  List<FailureGroup> failureGroups() throws SQLException {
    String sql =
        """
        SELECT count(*), status, arg_min(coalesce(message, ''), start_nanos),
          arg_min(coalesce(pid, ''), start_nanos)
        FROM requests WHERE NOT (%s)
        GROUP BY status, CASE WHEN coalesce(pid, '') = '' THEN coalesce(message, '')
          ELSE replace(coalesce(message, ''), pid, '') END
        ORDER BY count(*) DESC, min(start_nanos) LIMIT %d"""
            .formatted(SUCCEEDED, MOST_FAILURE_GROUPS);
    List<FailureGroup> groups = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        groups.add(
            new FailureGroup(
                rows.getLong(1), rows.getInt(2), rows.getString(3), rows.getString(4)));
      }
    }
    return groups;
  }

  /**
   * Successful ingests in the order in which they were answered, numbered from 0. Sorting millions
   * of requests once instead of for each question is what this temporary table is for.
   */
  final class Completions implements AutoCloseable {

    private Completions() throws SQLException {
      execute(
          """
          CREATE OR REPLACE TEMP TABLE report_completions AS
          SELECT row_number() OVER (ORDER BY start_nanos + duration_nanos, object_index) - 1 AS n,
            start_nanos + duration_nanos AS end_nanos, duration_nanos
          FROM requests WHERE %s"""
              .formatted(SUCCEEDED));
    }

    /** Mean service times of consecutive full batches. */
    double[] batchMeans(int batchObjects) throws SQLException {
      String sql =
          """
          SELECT avg(duration_nanos) FROM report_completions
          GROUP BY n // %1$d HAVING count(*) = %1$d ORDER BY n // %1$d"""
              .formatted(batchObjects);
      double[] means = new double[1024];
      int count = 0;
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          if (count == means.length) {
            means = java.util.Arrays.copyOf(means, 2 * count);
          }
          means[count++] = rows.getDouble(1);
        }
      }
      return java.util.Arrays.copyOf(means, count);
    }

    /** When the object with this number was answered, nanoTime. */
    long endNanos(long n) throws SQLException {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT end_nanos FROM report_completions WHERE n = ?")) {
        statement.setLong(1, n);
        try (ResultSet row = statement.executeQuery()) {
          if (!row.next()) {
            throw new SQLException("no completion number " + n);
          }
          return row.getLong(1);
        }
      }
    }

    /** Service times of the objects numbered {@code from} to {@code to - 1}, null where none. */
    Latency latency(long from, long to) throws SQLException {
      String sql =
          "SELECT count(*), avg(duration_nanos), max(duration_nanos), "
              + PERCENTILES.formatted("duration_nanos")
              + " FROM report_completions WHERE n >= ? AND n < ?";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setLong(1, from);
        statement.setLong(2, to);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          long count = row.getLong(1);
          if (count == 0) {
            return null;
          }
          long[] percentiles = longs(row.getArray(4));
          return new Latency(
              count,
              row.getDouble(2),
              percentiles[0],
              percentiles[1],
              percentiles[2],
              row.getLong(3));
        }
      }
    }

    @Override
    public void close() throws SQLException {
      execute("DROP TABLE IF EXISTS report_completions");
    }
  }

  Completions completions() throws SQLException {
    return new Completions();
  }

  /**
   * Stages of the ingest, most own time first; {@link Stage#share} is not known yet.
   *
   * <p>A request thread is one that ever ran {@code http.request}. That is a handful of threads,
   * where joining each sample with its trace's root would be a join of millions with millions.
   */
  List<Stage> stages(IngestWindow window) throws SQLException {
    String sql =
        """
        WITH request_threads AS (
          SELECT DISTINCT source, thread, true AS is_request_thread
          FROM samples WHERE stage = 'http.request'),
        of_the_ingest AS (
          SELECT stage, total_nanos, own_nanos, failed,
            coalesce(is_request_thread, false) AND start_nanos <= ? AS in_request
          FROM samples LEFT JOIN request_threads USING (source, thread)
          WHERE start_nanos >= ?
            AND (start_nanos <= ? OR (start_nanos <= ? AND starts_with(stage, 'triples.'))))
        SELECT stage, count(*), count(*) FILTER (failed), sum(total_nanos)::BIGINT,
          sum(own_nanos)::BIGINT, coalesce(sum(own_nanos) FILTER (in_request), 0)::BIGINT,
          count(*) FILTER (NOT in_request), max(total_nanos), %s
        FROM of_the_ingest GROUP BY stage ORDER BY sum(own_nanos) DESC, stage"""
            .formatted(PERCENTILES.formatted("total_nanos"));
    List<Stage> stages = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, window.ingestEndNanos());
      statement.setLong(2, window.startNanos());
      statement.setLong(3, window.ingestEndNanos());
      statement.setLong(4, window.drainEndNanos());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          long[] percentiles = longs(rows.getArray(9));
          stages.add(
              new Stage(
                  rows.getString(1),
                  rows.getLong(2),
                  rows.getLong(3),
                  rows.getLong(4),
                  rows.getLong(5),
                  rows.getLong(6),
                  null,
                  rows.getLong(7),
                  percentiles[0],
                  percentiles[1],
                  percentiles[2],
                  rows.getLong(8)));
        }
      }
    }
    return stages;
  }

  /** Sources of samples with what they recorded and what arrived, over the whole run. */
  List<Source> sources() throws SQLException {
    String sql =
        """
        WITH arrived AS (SELECT source, count(*) AS received FROM samples GROUP BY source),
        counted AS (
          SELECT source, sum("count") AS recorded, max(samples_dropped) AS dropped,
            max(frames_dropped) AS frames_dropped, bool_or("last") AS final_totals
          FROM totals GROUP BY source)
        SELECT source, coalesce(sources.name, ''), coalesce(recorded, 0)::BIGINT,
          coalesce(received, 0)::BIGINT, coalesce(dropped, 0)::BIGINT,
          coalesce(counted.frames_dropped, 0)::BIGINT, coalesce(final_totals, false)
        FROM arrived FULL JOIN counted USING (source) LEFT JOIN sources USING (source)
        ORDER BY source""";
    List<Source> sources = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        sources.add(
            new Source(
                rows.getString(1),
                rows.getString(2),
                rows.getLong(3),
                rows.getLong(4),
                rows.getLong(5),
                rows.getLong(6),
                rows.getBoolean(7)));
      }
    }
    return sources;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long[] longs(Array array) throws SQLException {
    Object[] values = (Object[]) array.getArray();
    long[] longs = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      longs[i] = ((Number) values[i]).longValue();
    }
    return longs;
  }
}
