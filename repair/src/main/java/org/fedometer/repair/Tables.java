package org.fedometer.repair;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Fedora's own tables, read and repaired with Fedora's driver. Not thread-safe. */
final class Tables implements AutoCloseable {

  private static final String REGISTRY = "doRegistry";
  private static final String FIELDS = "doFields";
  private static final String DATES = "dcDates";
  private static final int FETCH_ROWS = 1000;

  /** Text that Fedora writes there. */
  private static final String UNUSED_OWNER = "the ownerID field is no longer used";

  private static final String UNUSED_LABEL = "the label field is no longer used";

  private final Settings settings;
  private final Connection changes;

  interface Visitor {
    void pid(String pid);
  }

  interface PathVisitor {
    void path(String token, String path) throws IOException, SQLException;
  }

  Tables(Settings settings) throws SQLException {
    this.settings = settings;
    try {
      Class.forName(settings.databaseDriver());
    } catch (ClassNotFoundException e) {
      throw new SQLException("this Fedora has no driver " + settings.databaseDriver(), e);
    }
    changes = open();
  }

  private Connection open() throws SQLException {
    return DriverManager.getConnection(
        settings.databaseUrl(), settings.databaseUser(), settings.databasePassword());
  }

  /** Returns the number of registered objects. */
  long registered() throws SQLException {
    try (Statement statement = changes.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + REGISTRY)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  void eachRegistered(Visitor visitor) throws IOException, SQLException {
    each("SELECT doPID FROM " + REGISTRY, visitor);
  }

  void eachInFieldIndex(Visitor visitor) throws IOException, SQLException {
    each("SELECT pid FROM " + FIELDS, visitor);
  }

  void eachDated(Visitor visitor) throws IOException, SQLException {
    each("SELECT pid FROM " + DATES, visitor);
  }

  private void each(String query, Visitor visitor) throws IOException, SQLException {
    stream(query, rows -> visitor.pid(rows.getString(1)));
  }

  /** Visits the rows of a table of the older low-level store. */
  void eachPath(String table, PathVisitor visitor) throws IOException, SQLException {
    stream(
        "SELECT token, path FROM " + table,
        rows -> visitor.path(rows.getString(1), rows.getString(2)));
  }

  /** Returns the path; null if the table has no such row. */
  String path(String table, String token) throws SQLException {
    try (PreparedStatement query =
        changes.prepareStatement("SELECT path FROM " + table + " WHERE token = ?")) {
      query.setString(1, token);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }

  private interface RowVisitor {
    void row(ResultSet rows) throws IOException, SQLException;
  }

  /** Streams rows over a separate connection that does not hold all of them at once. */
  private void stream(String query, RowVisitor visitor) throws IOException, SQLException {
    try (Connection connection = open()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        // Otherwise MySQL's driver reads all rows.
        statement.setFetchSize(isMysql(settings.databaseUrl()) ? Integer.MIN_VALUE : FETCH_ROWS);
        try (ResultSet rows = statement.executeQuery(query)) {
          while (rows.next()) {
            visitor.row(rows);
          }
        }
      } finally {
        connection.rollback();
      }
    }
  }

  /** Returns all of a PID's rows as SQL that would restore them. */
  List<String> copies(String pid) throws SQLException {
    List<String> statements = new ArrayList<>();
    copy(REGISTRY, "doPID = ?", pid, statements);
    copy(FIELDS, "pid = ?", pid, statements);
    copy(DATES, "pid = ?", pid, statements);
    return statements;
  }

  /** Adds the rows of a table as SQL that would restore them. */
  void copy(String table, String condition, String value, List<String> statements)
      throws SQLException {
    try (PreparedStatement query =
        changes.prepareStatement("SELECT * FROM " + table + " WHERE " + condition)) {
      query.setString(1, value);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          statements.add(insertion(table, rows));
        }
      }
    }
  }

  private String insertion(String table, ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    StringBuilder names = new StringBuilder();
    StringBuilder values = new StringBuilder();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.append(i == 1 ? "" : ", ").append(columns.getColumnName(i));
      String value = rows.getString(i);
      boolean number =
          columns.getColumnType(i) == Types.INTEGER || columns.getColumnType(i) == Types.BIGINT;
      values
          .append(i == 1 ? "" : ", ")
          .append(
              value == null || number
                  ? String.valueOf(value)
                  : literal(value, settings.databaseUrl()));
    }
    return "INSERT INTO " + table + " (" + names + ") VALUES (" + values + ");";
  }

  /**
   * Returns a text as an SQL literal.
   *
   * @param databaseUrl the URL of the target database; MySQL and MariaDB also interpret backslashes
   */
  static String literal(String text, String databaseUrl) {
    String escaped = isMysql(databaseUrl) ? text.replace("\\", "\\\\") : text;
    return "'" + escaped.replace("'", "''") + "'";
  }

  private static boolean isMysql(String databaseUrl) {
    return databaseUrl.startsWith("jdbc:mysql:") || databaseUrl.startsWith("jdbc:mariadb:");
  }

  void deleteFromFieldIndex(String pid) throws SQLException {
    update("DELETE FROM " + DATES + " WHERE pid = ?", pid);
    update("DELETE FROM " + FIELDS + " WHERE pid = ?", pid);
  }

  void unregister(String pid) throws SQLException {
    update("DELETE FROM " + REGISTRY + " WHERE doPID = ?", pid);
  }

  /** Registers a PID as Fedora does after one commit. */
  void register(String pid) throws SQLException {
    update(
        "INSERT INTO "
            + REGISTRY
            + " (doPID, systemVersion, ownerId, objectState, label) VALUES (?, 1, ?, 'A', ?)",
        pid,
        UNUSED_OWNER,
        UNUSED_LABEL);
  }

  void update(String sql, String... values) throws SQLException {
    try (PreparedStatement update = changes.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        update.setString(i + 1, values[i]);
      }
      update.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    changes.close();
    if (settings.databaseUrl().startsWith("jdbc:derby:")) {
      try {
        DriverManager.getConnection("jdbc:derby:;shutdown=true");
      } catch (SQLException e) {
        // Derby reports its end by an exception; Fedora's pool may already have ended it.
        if (!"XJ015".equals(e.getSQLState()) && !"08001".equals(e.getSQLState())) {
          throw e;
        }
      }
    }
  }
}
