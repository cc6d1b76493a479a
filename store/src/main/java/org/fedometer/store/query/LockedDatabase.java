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
 * An in-memory DuckDB that can read the given files and nothing else, loads no extension, keeps to
 * its limits, and whose settings cannot be changed. Closing it removes what it put on disk. For one
 * thread at a time.
 */
final class LockedDatabase implements AutoCloseable {
  /** Of a statement that may ask what tables there are. */
  private static final Pattern LISTS_TABLES =
      Pattern.compile("show|describe|information_schema|duckdb_|pg_|sqlite_|pragma|query_table");

  private final Connection connection;
  private final SpillFolder spill;

  /** Those that were not needed yet: each takes some milliseconds to make. */
  private final Map<String, String> views;

  private LockedDatabase(Connection connection, SpillFolder spill, Map<String, String> views) {
    this.connection = connection;
    this.spill = spill;
    this.views = new LinkedHashMap<>(views);
  }

  /**
   * @param streaming rows come as they are found, a few at a time, instead of being gathered first;
   *     then an answer is to be closed before the next statement
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
      // An Error, too: DuckDB's library that cannot be loaded is one.
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

  /** Makes the tables that a statement names; all of them, where it may ask which there are. */
  void makeTablesFor(String sql) throws SQLException {
    String lowerCase = sql.toLowerCase(Locale.ROOT);
    boolean needsAll = LISTS_TABLES.matcher(lowerCase).find();
    Set<String> needed = new HashSet<>(views.keySet());
    needed.removeIf(view -> !needsAll && !lowerCase.contains(view));
    make(needed);
  }

  /** Makes those that are not there yet; false where there are none. */
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
      // Files one by one: a directory would let a link in it lead elsewhere.
      statement.execute("SET allowed_paths = " + SqlText.files(tables.files()));
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    }
  }
}
