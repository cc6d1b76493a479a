package org.fedometer.store.query;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An in-memory DuckDB that can read only the given files, loads no extension, keeps its limits, and
 * has locked settings. Closing it removes its files on disk. One thread at a time.
 */
final class LockedDatabase implements AutoCloseable {
  /** Matches statements that may list the tables. */
  private static final Pattern LISTS_TABLES =
      Pattern.compile("show|describe|information_schema|duckdb_|pg_|sqlite_|pragma|query_table");

  private final Connection connection;
  private final SpillFolder spill;

  /** Views not needed yet: each needs some milliseconds to create. */
  private final Map<String, String> views;

  private LockedDatabase(Connection connection, SpillFolder spill, Map<String, String> views) {
    this.connection = connection;
    this.spill = spill;
    this.views = new LinkedHashMap<>(views);
  }

  /**
   * @param streaming true to fetch rows as they are found instead of materializing them first; a
   *     result must then be closed before the next statement
   */
  static LockedDatabase open(TableFiles.Snapshot tables, QueryLimits limits, boolean streaming)
      throws IOException, SQLException {
    SpillFolder spill = SpillFolder.in(limits.spillParent());
    Connection connection = null;
    try {
      Properties properties = new Properties();
      properties.setProperty("jdbc_stream_results", Boolean.toString(streaming));
      connection = DriverManager.getConnection("jdbc:duckdb:", properties);
      LockedDatabase database = new LockedDatabase(connection, spill, tables.views());
      database.prepare(tables, limits);
      return database;
    } catch (SQLException | RuntimeException | Error e) {
      // Includes Error: DuckDB's library may fail to load.
      try {
        if (connection != null) {
          connection.close();
        }
      } finally {
        spill.close();
      }
      throw e;
    }
  }

  /** Belongs to this database, which closes it. */
  Connection connection() {
    return connection;
  }

  /** Creates the tables that a statement names; all of them if it may list tables. */
  void makeTablesFor(String sql) throws SQLException {
    String lowerCase = sql.toLowerCase(Locale.ROOT);
    boolean needsAll = LISTS_TABLES.matcher(lowerCase).find();
    Set<String> needed = new HashSet<>(views.keySet());
    needed.removeIf(view -> !needsAll && !lowerCase.contains(view));
    make(needed);
  }

  /** Creates the missing tables; returns false if there are none. */
  boolean makeAllTables() throws SQLException {
    boolean any = !views.isEmpty();
    make(Set.copyOf(views.keySet()));
    return any;
  }

  private void make(Set<String> names) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String name : names) {
        statement.execute("CREATE VIEW " + name + " AS " + views.get(name));
        views.remove(name);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      connection.close();
    } finally {
      spill.close();
    }
  }

  private void prepare(TableFiles.Snapshot tables, QueryLimits limits) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET memory_limit = '" + limits.memoryBytes() / 1024 + "KiB'");
      statement.execute("SET threads = " + limits.threads());
      statement.execute("SET temp_directory = " + SqlText.literal(spill.path()));
      if (limits.spillBytes() > 0) {
        statement.execute("SET max_temp_directory_size = '" + limits.spillBytes() / 1024 + "KiB'");
      }
      statement.execute("SET autoinstall_known_extensions = false");
      statement.execute("SET autoload_known_extensions = false");
      statement.execute("SET allow_community_extensions = false");
      // Single files: in a directory, a link could lead elsewhere.
      statement.execute("SET allowed_paths = " + SqlText.files(tables.files()));
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    }
  }
}
