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
 * The settings of a database server that is somebody's: no file of them is in reach, so the server
 * is asked. Used by the job's one thread; the stack must be running.
 */
final class ExternalDatabaseSettings {
  /** Path in the run folder. */
  static final String PATH = "config/database-settings.txt";

  /** What a session has brought along says nothing of the server. */
  private static final String OF_POSTGRESQL =
      "SELECT name, concat(setting, CASE WHEN unit IS NULL THEN '' ELSE ' ' || unit END)"
          + " FROM pg_settings WHERE source NOT IN ('default', 'client', 'session') ORDER BY name";

  private static final String OF_MYSQL = "SHOW GLOBAL VARIABLES";

  /** What may hold a secret, and what changes with every transaction. */
  private static final Pattern OMITTED_SETTINGS =
      Pattern.compile("(?i).*(conninfo|_command|passphrase|init_connect).*|gtid_.*|timestamp");

  private ExternalDatabaseSettings() {}

  /** A line for each setting, secrets masked; nothing if the database is the stack's own. */
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
