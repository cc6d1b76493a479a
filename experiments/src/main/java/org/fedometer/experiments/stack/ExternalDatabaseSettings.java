package org.fedometer.experiments.stack;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Pattern;
import org.fedometer.profiles.stack.Stack;

/**
 * Reads the settings of an external database server by queries, since its files are not accessible.
 * Confined to the job's thread; the stack must be running.
 */
final class ExternalDatabaseSettings {
  /** Path in the run folder. */
  static final String PATH = "config/database-settings.txt";

  /** Excludes settings of the session, which are not the server's. */
  private static final String OF_POSTGRESQL =
      "SELECT name, concat(setting, CASE WHEN unit IS NULL THEN '' ELSE ' ' || unit END)"
          + " FROM pg_settings WHERE source NOT IN ('default', 'client', 'session') ORDER BY name";

  private static final String OF_MYSQL = "SHOW GLOBAL VARIABLES";

  /** Settings that may contain a secret, or change with every transaction. */
  private static final Pattern OMITTED_SETTINGS =
      Pattern.compile("(?i).*(conninfo|_command|passphrase|init_connect).*|gtid_.*|timestamp");

  private ExternalDatabaseSettings() {}

  /** Returns a line for each setting, secrets masked; empty if the database is the stack's own. */
  static Optional<String> of(Stack stack) throws IOException, SQLException {
    if (!"external".equals(stack.settings().get("database.server"))) {
      return Optional.empty();
    }
    Optional<Connection> opened = stack.connectToDatabase();
    if (opened.isEmpty()) {
      return Optional.empty();
    }
    try (Connection connection = opened.get()) {
      return Optional.of(stack.state().maskedText(read(connection)));
    }
  }

  static String read(Connection connection) throws SQLException {
    boolean postgresql = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    StringBuilder lines = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(postgresql ? OF_POSTGRESQL : OF_MYSQL)) {
      while (rows.next()) {
        if (!OMITTED_SETTINGS.matcher(rows.getString(1)).matches()) {
          lines.append(rows.getString(1)).append(" = ").append(rows.getString(2)).append('\n');
        }
      }
    }
    return lines.toString();
  }
}
