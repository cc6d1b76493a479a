package org.fedometer.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.fedometer.store.rollup.LiveRollupFile;

/**
 * Asks one run by SQL: an in-memory DuckDB with the views {@code samples}, {@code requests}, {@code
 * traces}, {@code totals} and {@code sources} over what is sealed. A table of which nothing is
 * sealed is empty, with the right columns. Sees the files that were there when it was opened. For
 * one thread at a time.
 */
public final class RunQuery implements AutoCloseable {
  private final Connection connection;

  private RunQuery(Connection connection) {
    this.connection = connection;
  }

  public static RunQuery open(RunFolder run) throws IOException, SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      for (Table table : Table.values()) {
        statement.execute(viewOf(run, table));
      }
    } catch (IOException | SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
    return new RunQuery(connection);
  }

  /** Belongs to this query, which closes it. */
  public Connection connection() {
    return connection;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private static String viewOf(RunFolder run, Table table) throws IOException {
    List<Path> files = run.tableFiles(table);
    String rows =
        files.isEmpty()
            ? "(SELECT " + table.typedNulls() + " WHERE false)"
            : "read_parquet(["
                + files.stream().map(RunQuery::quoted).collect(Collectors.joining(", "))
                + "], union_by_name = true)";
    List<Path> live = table == Table.ROLLUPS ? run.liveRollupFiles() : List.of();
    if (!live.isEmpty()) {
      rows = "(FROM " + rows + " UNION ALL BY NAME " + LiveRollupFile.rowsOf(live) + ")";
    }
    return "CREATE VIEW " + table.tableName() + " AS " + table.selectFrom(rows);
  }

  private static String quoted(Path file) {
    return "'" + file.toString().replace("'", "''") + "'";
  }
}
