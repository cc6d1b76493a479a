package org.fedometer.repair;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * MPTStore's tables, one for each predicate, and the table that lists them. A predicate is entered
 * there before its table is created. If Fedora was killed in between, queries over all predicates
 * fail, and no triple of that predicate is accepted. The repair must precede any opening of the
 * triplestore, which reads the entries once. Stateless.
 */
final class PredicateTables {

  private static final String CONNECTOR = "org.trippi.impl.mpt.MPTConnector";
  private static final String ENTRIES = "tMap";
  private static final String PREFIX = "t";

  private PredicateTables() {}

  /**
   * Finds and removes entries without a table.
   *
   * @param copies the folder for copies; null to remove nothing
   */
  static void repair(Settings settings, Copies copies, Pipe pipe) throws IOException, SQLException {
    if (!CONNECTOR.equals(settings.connector())) {
      return;
    }
    Map<String, String> triplestore = settings.triplestore();
    try {
      Class.forName(triplestore.get("jdbcDriver"));
    } catch (ClassNotFoundException e) {
      throw new SQLException("this Fedora has no driver " + triplestore.get("jdbcDriver"), e);
    }
    try (Connection connection =
        DriverManager.getConnection(
            triplestore.get("jdbcURL"), triplestore.get("username"), triplestore.get("password"))) {
      for (Map.Entry<Long, String> entry : withoutTable(connection).entrySet()) {
        String what = "The triplestore has no table for the predicate " + entry.getValue();
        if (copies == null) {
          pipe.found(
              new Finding(
                  Inconsistency.PREDICATE_WITHOUT_TABLE,
                  "",
                  Finding.State.FOUND,
                  what + "; its triples cannot be read"));
          continue;
        }
        copies.addRows(
            Collections.singletonList(
                "INSERT INTO "
                    + ENTRIES
                    + " (pKey, p) VALUES ("
                    + entry.getKey()
                    + ", "
                    + Tables.literal(entry.getValue(), triplestore.get("jdbcURL"))
                    + ");"));
        try (PreparedStatement delete =
            connection.prepareStatement("DELETE FROM " + ENTRIES + " WHERE pKey = ?")) {
          delete.setLong(1, entry.getKey());
          delete.executeUpdate();
        }
        pipe.found(
            new Finding(
                Inconsistency.PREDICATE_WITHOUT_TABLE,
                "",
                Finding.State.REPAIRED,
                what + "; its entry is removed, and Fedora recreates both"));
      }
    }
  }

  /** Returns predicates by the numbers of their tables. */
  private static Map<Long, String> withoutTable(Connection connection) throws SQLException {
    Set<String> tables = new HashSet<>();
    try (ResultSet rows =
        connection.getMetaData().getTables(catalog(connection), null, "%", null)) {
      while (rows.next()) {
        tables.add(rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
    }
    Map<Long, String> without = new TreeMap<>();
    if (!tables.contains(ENTRIES.toLowerCase(Locale.ROOT))) {
      return without; // nothing was ever stored
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pKey, p FROM " + ENTRIES)) {
      while (rows.next()) {
        if (!tables.contains(PREFIX + rows.getLong(1))) {
          without.put(rows.getLong(1), rows.getString(2));
        }
      }
    }
    // A table that a driver does not list may still exist, with triples.
    without.keySet().removeIf(number -> canBeRead(connection, PREFIX + number));
    return without;
  }

  /**
   * Returns the database in MySQL, whose tables would otherwise be listed with those of others;
   * null if there is none.
   */
  private static String catalog(Connection connection) throws SQLException {
    String catalog = connection.getCatalog();
    return catalog == null || catalog.isEmpty() ? null : catalog;
  }

  private static boolean canBeRead(Connection connection, String table) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      return rows.next();
    } catch (SQLException e) {
      return false;
    }
  }
}
