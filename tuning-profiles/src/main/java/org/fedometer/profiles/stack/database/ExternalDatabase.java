package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.profiles.stack.home.DatabaseConnection;
import org.fedometer.profiles.stack.home.Masking;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;

/**
 * An existing external database: checks its suitability for a Fedora. Queries it by Fedometer's
 * drivers, without changes. Not thread-safe.
 */
public final class ExternalDatabase {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);

  /** Error of MySQL and MariaDB for a table with duplicate column names. */
  private static final int DUPLICATE_COLUMN = 1060;

  /** Error without permission to create tables. */
  private static final int DENIED = 1142;

  /** Further tables are counted, not named. */
  private static final int MAX_LISTED_TABLES = 5;

  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

  private final boolean postgresql;
  private final String user;
  private final String password;
  private final List<Part> parts;

  private record Part(String setting, String url, boolean triples) {}

  private ExternalDatabase(boolean postgresql, String user, String password, List<Part> parts) {
    this.postgresql = postgresql;
    this.user = user;
    this.password = password;
    this.parts = parts;
  }

  /** Returns the database of a stack's settings, or empty if it is not external. */
  public static Optional<ExternalDatabase> of(Map<String, String> settings, String password) {
    if (!settings.get("database.server").equals("external")) {
      return Optional.empty();
    }
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("database.url", settings.get("database.url"), false));
    if (settings.get("triplestore.store").equals("mptstore")) {
      parts.add(new Part("database.triplesUrl", settings.get("database.triplesUrl"), true));
    }
    return Optional.of(
        new ExternalDatabase(
            settings.get("database.product").equals("postgresql"),
            settings.get("database.user"),
            password,
            parts));
  }

  /**
   * Returns the password in the file of database.passwordFile.
   *
   * @throws ProvisioningException if there is none
   */
  public static String password(Path file) throws IOException, ProvisioningException {
    if (!Files.isReadable(file)) {
      throw badPasswordFile(file, "cannot be read");
    }
    String password;
    try {
      password = Files.readString(file).strip();
    } catch (CharacterCodingException e) {
      throw badPasswordFile(file, "is not UTF-8");
    }
    if (password.isEmpty() || password.contains("\n")) {
      throw badPasswordFile(file, "must hold a password, on one line");
    }
    return password;
  }

  private static ProvisioningException badPasswordFile(Path file, String what) {
    return ProvisioningException.preflight(
        "The file " + file + " (database.passwordFile) " + what + ".");
  }

  /**
   * Checks that each database is reachable, accepts the user, allows it to create tables, and has
   * none.
   *
   * @param listener gets unusual but possible properties
   * @return data for stack.json
   */
  public StackDocument.Installation checkForNewFedora(ProvisioningListener listener)
      throws ProvisioningException {
    String version = null;
    for (Part part : parts) {
      try (Connection connection = connect(part)) {
        version = versionOf(connection);
        checkMayCreateTables(part, connection);
        checkEmpty(part, connection);
        noteEncoding(part, connection, listener);
      } catch (SQLException e) {
        throw failure(part, "cannot be looked into: " + messageOf(e));
      }
    }
    return new StackDocument.Installation("", List.of(), version);
  }

  /**
   * Checks that each database accepts the user.
   *
   * @param stillEmpty true if it must have no tables, since no Fedora of this stack has run
   */
  public void checkReached(boolean stillEmpty) throws ProvisioningException {
    for (Part part : parts) {
      try (Connection connection = connect(part)) {
        versionOf(connection);
        if (stillEmpty) {
          checkEmpty(part, connection);
        }
      } catch (SQLException e) {
        throw failure(part, "cannot be looked into: " + messageOf(e));
      }
    }
  }

  private Connection connect(Part part) throws ProvisioningException {
    try {
      return DatabaseConnection.open(part.url(), user, password, CONNECT_TIMEOUT, RESPONSE_TIMEOUT);
    } catch (SQLException e) {
      throw failure(
          part,
          ("does not let %s in: %s. Check that it runs and is reachable; check"
                  + " database.user and database.passwordFile.")
              .formatted(user, messageOf(e)));
    }
  }

  private static String versionOf(Connection connection) throws SQLException {
    Matcher number = VERSION.matcher(connection.getMetaData().getDatabaseProductVersion());
    return connection.getMetaData().getDatabaseProductName()
        + (number.find() ? " " + number.group() : "");
  }

  private void checkMayCreateTables(Part part, Connection connection)
      throws SQLException, ProvisioningException {
    if (postgresql ? !mayInPostgresql(connection) : !mayInMySql(connection)) {
      throw failure(
          part,
          "does not let %s create tables; ".formatted(user)
              + (postgresql
                      ? "have its owner run GRANT CREATE ON SCHEMA public TO %1$s, or make %1$s its"
                          + " owner."
                      : "have its administrator run GRANT ALL ON %2$s.* TO %1$s.")
                  .formatted(user, connection.getCatalog()));
    }
  }

  /**
   * Returns whether the user may create tables. Since PostgreSQL 15, not every user may do so in
   * the schema public.
   */
  private static boolean mayInPostgresql(Connection connection) throws SQLException {
    return firstColumn(
            connection, "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)")
        .equals(List.of("t"));
  }

  /** Tests with an impossible table: the server checks the permission first. */
  private static boolean mayInMySql(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE fedometer_probe (a INT, a INT)");
      throw new SQLException(
          "it created a table fedometer_probe with two columns of the same name");
    } catch (SQLException e) {
      if (e.getErrorCode() == DENIED) {
        return false;
      }
      if (e.getErrorCode() == DUPLICATE_COLUMN) {
        return true;
      }
      throw e;
    }
  }

  private void checkEmpty(Part part, Connection connection)
      throws SQLException, ProvisioningException {
    List<String> tables =
        firstColumn(
            connection,
            postgresql
                ? "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
                    + " WHERE relkind IN ('r', 'p') AND nspname <> 'information_schema'"
                    + " AND nspname NOT LIKE 'pg\\_%' ORDER BY relname"
                : "SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = DATABASE() ORDER BY table_name");
    if (!tables.isEmpty()) {
      throw failure(
          part,
          ("is not empty: it has %s%s. A new stack needs empty databases; name another one,"
                  + " or drop this one and create it again.")
              .formatted(
                  String.join(", ", tables.subList(0, Math.min(MAX_LISTED_TABLES, tables.size()))),
                  tables.size() > MAX_LISTED_TABLES
                      ? " and " + Counted.of(tables.size() - MAX_LISTED_TABLES, "table") + " more"
                      : ""));
    }
  }

  private void noteEncoding(Part part, Connection connection, ProvisioningListener listener)
      throws SQLException {
    if (postgresql) {
      String expected = part.triples() ? "SQL_ASCII" : "UTF8";
      String encoding = firstColumn(connection, "SHOW server_encoding").get(0);
      if (!encoding.equals(expected)) {
        listener.note(
            "The database of %s has the encoding %s; a managed database has %s."
                .formatted(part.setting(), encoding, expected));
      }
    } else {
      String collation = firstColumn(connection, "SELECT @@collation_database").get(0);
      if (!collation.endsWith("_bin")) {
        listener.note(
            ("The database of %s has the collation %s, which may treat different PIDs, URIs"
                    + " or literals as equal; a managed database has utf8_bin.")
                .formatted(part.setting(), collation));
      }
    }
  }

  /** Returns the first column of each row. */
  private static List<String> firstColumn(Connection connection, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  /** Returns the first line of the driver's message, without its connection number. */
  private String messageOf(SQLException e) {
    String message = FailureText.of(e);
    String line = message.lines().findFirst().orElse("").replaceFirst("^\\(conn=-?\\d+\\) ", "");
    return new Masking(List.of(password)).mask(line).replaceFirst("\\.$", "");
  }

  private static ProvisioningException failure(Part part, String what) {
    return ProvisioningException.preflight(
        "The database of %s, %s, %s", part.setting(), part.url(), what);
  }
}
