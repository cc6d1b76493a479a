package org.fedometer.store.query;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Blob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBStruct;

/**
 * Queries an in-process DuckDB that can read only the tables. If one of their files disappears
 * before the first row (for example in a merge), it lists the files and runs the query again.
 */
public final class LocalQuery implements Query {
  /** Files may disappear again during the repeated query. */
  private static final int MAX_ATTEMPTS = 5;

  /** Message of the driver of DuckDB 2.0 if a streamed result fails before its first row. */
  private static final String REASON_LOST = "Invalid Input Error: Invalid result set";

  /** Start of DuckDB's message for an unreadable file, which it does not name. */
  private static final String DAMAGE = "Invalid Error: ";

  private final TableFiles tables;
  private final QueryLimits limits;
  private TableFiles.Snapshot snapshot;
  private LockedDatabase database;
  private boolean streaming;
  private volatile PreparedStatement running;
  private volatile boolean cancelled;

  private LocalQuery(TableFiles tables, QueryLimits limits) {
    this.tables = tables;
    this.limits = limits;
  }

  /**
   * Opens a separate database, which the caller closes.
   *
   * @param tables listed now, and again if one of its files disappears
   * @throws IOException if the files cannot be listed, or there is no folder to spill to
   * @throws QueryException if DuckDB cannot run within these limits
   */
  public static LocalQuery open(TableFiles tables, QueryLimits limits)
      throws IOException, QueryException {
    LocalQuery query = new LocalQuery(tables, limits);
    try {
      query.refresh();
      return query;
    } catch (SQLException e) {
      throw query.failed(e);
    }
  }

  @Override
  public Rows execute(String sql, Object... parameters) throws QueryException {
    for (int attempt = 1; ; attempt++) {
      try {
        if (!streaming) {
          reopen(true);
        }
        return tryExecute(ReadOnlySql.checked(database.connection(), sql), parameters);
      } catch (SQLException e) {
        if (cancelled || attempt == MAX_ATTEMPTS || !snapshot.outdated()) {
          throw failed(e);
        }
      } catch (IOException e) {
        throw new QueryException("The query cannot be started: " + e.getMessage(), e);
      }
      try {
        database.close();
        refresh();
      } catch (SQLException e) {
        throw failed(e);
      } catch (IOException e) {
        throw new QueryException("The run's files cannot be listed: " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    PreparedStatement statement = running;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        // It has already ended.
      }
    }
  }

  @Override
  public void close() throws QueryException {
    try {
      database.close();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void refresh() throws IOException, SQLException {
    for (int attempt = 1; ; attempt++) {
      snapshot = tables.now();
      try {
        open(true);
        return;
      } catch (SQLException e) {
        if (attempt == MAX_ATTEMPTS || !snapshot.outdated()) {
          throw e;
        }
      }
    }
  }

  private void open(boolean stream) throws IOException, SQLException {
    database = LockedDatabase.open(snapshot, limits, stream);
    streaming = stream;
  }

  private void reopen(boolean stream) throws IOException, SQLException {
    database.close();
    open(stream);
  }

  private Rows tryExecute(String sql, Object... parameters)
      throws IOException, SQLException, QueryException {
    try {
      return rows(sql, parameters);
    } catch (SQLException e) {
      if (cancelled || !String.valueOf(e.getMessage()).startsWith(REASON_LOST)) {
        throw e;
      }
      // A materialized result fails with the actual cause.
      reopen(false);
      return rows(sql, parameters);
    }
  }

  private Rows rows(String sql, Object... parameters) throws SQLException, QueryException {
    PreparedStatement statement = prepared(sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      running = statement;
      if (cancelled) {
        throw wasCancelled(null);
      }
      return new LocalRows(statement, statement.executeQuery());
    } catch (SQLException | QueryException | RuntimeException e) {
      closeQuietly(statement, e);
      throw e;
    }
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    database.makeTablesFor(sql);
    try {
      return database.connection().prepareStatement(sql);
    } catch (SQLException e) {
      // A table's name may be composed or written in an unusual form.
      if (String.valueOf(e.getMessage()).startsWith("Catalog Error") && database.makeAllTables()) {
        return database.connection().prepareStatement(sql);
      }
      throw e;
    }
  }

  private void closeQuietly(PreparedStatement statement, Exception because) {
    running = null;
    try {
      statement.close();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  private QueryException failed(SQLException e) {
    String message = String.valueOf(e.getMessage());
    // The driver's own message precedes DuckDB's.
    int inner = message.indexOf("\nError: ");
    if (message.startsWith("Invalid Input Error: Attempting to execute") && inner > 0) {
      message = message.substring(inner + "\nError: ".length());
    }
    if (cancelled || message.startsWith("INTERRUPT Error")) {
      return wasCancelled(e);
    } else if (message.startsWith("Out of Memory Error")) {
      return new QueryException(
          "The statement exceeds its memory limit and cannot move all its data to disk; query less"
              + " at a time, by a condition, fewer columns or a LIMIT",
          e);
    } else if (message.startsWith("INTERNAL Error")) {
      message = message.lines().findFirst().orElse(message);
    }
    if (message.startsWith(DAMAGE)) {
      message = damagedFile().map(file -> file + " is damaged: ").orElse("") + message;
      if (cancelled) {
        return wasCancelled(e);
      }
    }
    return new QueryException(message.strip(), e);
  }

  /** Finds a file with an invalid footer, not one with invalid pages; stops if cancelled. */
  private Optional<Path> damagedFile() {
    for (Path file : snapshot.files()) {
      if (cancelled) {
        break;
      }
      try {
        // This reads the footer, and reports its error even with streaming.
        String rows = "FROM read_parquet(" + SqlText.files(List.of(file)) + ")";
        database.connection().prepareStatement(rows).close();
      } catch (SQLException e) {
        if (String.valueOf(e.getMessage()).startsWith(DAMAGE)) {
          return Optional.of(file);
        }
        // For example merged meanwhile, which is not the query's failure.
      }
    }
    return Optional.empty();
  }

  private static QueryException wasCancelled(SQLException e) {
    return new QueryException("The statement was cancelled", e);
  }

  private final class LocalRows implements Rows {
    private final PreparedStatement statement;
    private final ResultSet rows;
    private final List<Column> columns = new ArrayList<>();
    private boolean beforeFirst = true;
    private final boolean any;

    LocalRows(PreparedStatement statement, ResultSet rows) throws SQLException {
      this.statement = statement;
      this.rows = rows;
      ResultSetMetaData metadata = rows.getMetaData();
      for (int i = 1; i <= metadata.getColumnCount(); i++) {
        columns.add(new Column(metadata.getColumnLabel(i), metadata.getColumnTypeName(i)));
      }
      // Errors in the files appear here, while the query can be repeated.
      any = rows.next();
    }

    @Override
    public List<Column> columns() {
      return List.copyOf(columns);
    }

    @Override
    public boolean next() throws QueryException {
      if (cancelled) {
        throw wasCancelled(null);
      }
      if (beforeFirst) {
        beforeFirst = false;
        return any;
      }
      try {
        return any && rows.next();
      } catch (SQLException e) {
        throw failed(e);
      }
    }

    @Override
    public Object value(int column) throws QueryException {
      try {
        return plain(rows.getObject(column + 1));
      } catch (SQLException e) {
        throw failed(e);
      }
    }

    @Override
    public void close() throws QueryException {
      running = null;
      try (statement) {
        rows.close();
      } catch (SQLException e) {
        throw failed(e);
      }
    }
  }

  private static Object plain(Object value) throws SQLException {
    if (value == null || value instanceof Boolean || value instanceof byte[]) {
      return value;
    } else if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    } else if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    } else if (value instanceof BigInteger large && large.bitLength() < Long.SIZE) {
      // The sum of a BIGINT is a HUGEINT, usually a small one.
      return large.longValue();
    } else if (value instanceof Blob blob) {
      return blob.getBytes(1, Math.toIntExact(blob.length()));
    } else if (value instanceof Array array) {
      return plainList((Object[]) array.getArray());
    } else if (value instanceof DuckDBStruct struct) {
      return plainMap(struct.getMap());
    } else if (value instanceof Map<?, ?> map) {
      return plainMap(map);
    }
    return value.toString();
  }

  private static Map<String, Object> plainMap(Map<?, ?> map) throws SQLException {
    Map<String, Object> result = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      result.put(String.valueOf(entry.getKey()), plain(entry.getValue()));
    }
    return result;
  }

  private static List<Object> plainList(Object[] values) throws SQLException {
    List<Object> result = new ArrayList<>(values.length);
    for (Object value : values) {
      result.add(plain(value));
    }
    return result;
  }
}
