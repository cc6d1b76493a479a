package org.fedometer.experiments.telemetry;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Queries a database server's counters, by one connection and one statement each time. Names are
 * the server's own: {@code pg_stat_wal.wal_bytes}, {@code global_status.Com_commit}. Not
 * thread-safe.
 */
final class DatabaseCounters implements AutoCloseable {

  private static final String COUNT = "1";
  private static final String BYTES = "By";
  private static final String MILLIS = "ms";

  /** Counters of MySQL and MariaDB; a version omits unknown ones. */
  private static final Map<String, String> STATUS = new LinkedHashMap<>();

  static {
    for (String name :
        List.of(
            "Com_commit",
            "Com_rollback",
            "Com_insert",
            "Com_select",
            "Com_update",
            "Handler_commit",
            "Innodb_buffer_pool_pages_dirty",
            "Innodb_buffer_pool_pages_flushed",
            "Innodb_buffer_pool_read_requests",
            "Innodb_buffer_pool_reads",
            "Innodb_buffer_pool_wait_free",
            "Innodb_data_fsyncs",
            "Innodb_data_reads",
            "Innodb_data_writes",
            "Innodb_dblwr_writes",
            "Innodb_log_waits",
            "Innodb_log_writes",
            "Innodb_os_log_fsyncs",
            "Innodb_row_lock_waits",
            "Innodb_rows_inserted",
            "Queries",
            "Threads_connected",
            "Threads_running")) {
      STATUS.put(name, COUNT);
    }
    STATUS.put("Innodb_checkpoint_age", BYTES);
    STATUS.put("Innodb_data_read", BYTES);
    STATUS.put("Innodb_data_written", BYTES);
    STATUS.put("Innodb_os_log_written", BYTES);
    STATUS.put("Innodb_row_lock_time", MILLIS);
  }

  interface Values {
    void add(long atNanos, String metric, String unit, double value);
  }

  private final Connection connection;
  private final PreparedStatement statement;
  private final boolean aRowEach;

  private DatabaseCounters(Connection connection, PreparedStatement statement, boolean aRowEach) {
    this.connection = connection;
    this.statement = statement;
    this.aRowEach = aRowEach;
  }

  /**
   * @param connection closed with this object, also if this fails
   */
  static DatabaseCounters of(Connection connection) throws SQLException {
    try {
      boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
      String sql =
          postgres
              ? postgresql(connection.getMetaData().getDatabaseMajorVersion())
              : "SHOW GLOBAL STATUS WHERE Variable_name IN ("
                  + STATUS.keySet().stream()
                      .map(name -> "'" + name + "'")
                      .collect(Collectors.joining(", "))
                  + ")";
      return new DatabaseCounters(connection, connection.prepareStatement(sql), !postgres);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Adds the server's counters, with the time of the response. */
  void read(Values values) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      long atNanos = System.nanoTime();
      while (rows.next()) {
        if (aRowEach) {
          addStatus(atNanos, rows, values);
        } else {
          addColumns(atNanos, rows, values);
        }
      }
    }
  }

  private static void addStatus(long atNanos, ResultSet row, Values values) throws SQLException {
    String name = row.getString(1);
    values.add(
        atNanos, "global_status." + name, STATUS.getOrDefault(name, COUNT), row.getDouble(2));
  }

  private static void addColumns(long atNanos, ResultSet row, Values values) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String name = columns.getColumnLabel(i);
      double value = row.getDouble(i);
      if (!row.wasNull()) {
        values.add(atNanos, name, unitOf(name), value);
      }
    }
  }

  private static String unitOf(String metric) {
    return metric.endsWith("bytes") ? BYTES : metric.endsWith("_time") ? MILLIS : COUNT;
  }

  /**
   * Returns the query for a version's views and columns: 14 introduced pg_stat_wal, 16 pg_stat_io
   * ...
   */
  static String postgresql(int version) {
    List<String> parts = new ArrayList<>();
    parts.add(
        sums(
            "pg_stat_database",
            "xact_commit",
            "xact_rollback",
            "blks_read",
            "blks_hit",
            "tup_inserted",
            "tup_updated",
            "tup_deleted",
            "temp_bytes",
            "deadlocks"));
    parts.add(
        sums(
            "pg_stat_user_tables",
            "n_tup_ins",
            "n_dead_tup",
            "vacuum_count",
            "autovacuum_count",
            "autoanalyze_count"));
    if (version >= 17) {
      parts.add(
          sums(
              "pg_stat_checkpointer",
              "num_timed",
              "num_requested",
              "write_time",
              "sync_time",
              "buffers_written"));
      parts.add(sums("pg_stat_bgwriter", "buffers_clean", "maxwritten_clean", "buffers_alloc"));
    } else {
      parts.add(
          sums(
              "pg_stat_bgwriter",
              "checkpoints_timed",
              "checkpoints_req",
              "checkpoint_write_time",
              "checkpoint_sync_time",
              "buffers_checkpoint",
              "buffers_clean",
              "buffers_backend",
              "buffers_alloc"));
    }
    if (version >= 14) {
      parts.add(sums("pg_stat_wal", "wal_records", "wal_fpi", "wal_bytes", "wal_buffers_full"));
    }
    if (version >= 10 && version < 14) {
      parts.add(
          "(SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS \"pg_current_wal_lsn.bytes\")"
              + " AS wal");
    }
    if (version >= 18) {
      parts.add(
          "(SELECT sum(writes) AS \"pg_stat_io.wal_writes\", sum(fsyncs) AS"
              + " \"pg_stat_io.wal_fsyncs\" FROM pg_stat_io WHERE object = 'wal') AS wal_io");
    } else if (version >= 14) {
      parts.add(
          "(SELECT wal_write AS \"pg_stat_wal.wal_write\", wal_sync AS \"pg_stat_wal.wal_sync\""
              + " FROM pg_stat_wal) AS wal_io");
    }
    return "SELECT * FROM " + String.join(", ", parts);
  }

  private static String sums(String view, String... columns) {
    return List.of(columns).stream()
        .map(column -> "sum(" + column + ") AS \"" + view + "." + column + "\"")
        .collect(Collectors.joining(", ", "(SELECT ", " FROM " + view + ") AS of_" + view));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** Closes the connection, even while another thread awaits a response. */
  void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is already closed.
    }
  }
}
