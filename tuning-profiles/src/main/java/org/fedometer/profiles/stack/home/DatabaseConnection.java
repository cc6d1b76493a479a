package org.fedometer.profiles.stack.home;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/**
 * Connects to a database as Fedora does, from the tool's own process and with drivers of the tool's
 * own. Stateless.
 */
public final class DatabaseConnection {

  private DatabaseConnection() {}

  /**
   * @param url for Fedora's driver, with its options
   * @param connect how long the server may take to be reached; whole seconds
   * @param responseTimeout how long it may take for each answer; whole seconds
   * @throws SQLException if the server is not there in time or refuses; later on, if it does not
   *     answer in time
   */
  public static Connection open(
      String url, String user, String password, Duration connect, Duration responseTimeout)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    boolean postgresql = url.startsWith("jdbc:postgresql:");
    properties.setProperty(
        "connectTimeout", Long.toString(postgresql ? connect.toSeconds() : connect.toMillis()));
    properties.setProperty(
        "socketTimeout",
        Long.toString(postgresql ? responseTimeout.toSeconds() : responseTimeout.toMillis()));
    if (postgresql) {
      properties.setProperty("ApplicationName", "fedometer");
    }
    // MariaDB's driver speaks with both servers, and knows the options of MySQL's.
    return DriverManager.getConnection(
        url.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:"), properties);
  }
}
