package org.fedometer.profiles.stack.home;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/**
 * Connects to a database as Fedora does, from the tool's process and with the tool's drivers.
 * Stateless.
 */
public final class DatabaseConnection {

  private DatabaseConnection() {}

  /**
   * @param url the URL for Fedora's driver, with its options
   * @param connect the connection timeout; whole seconds
   * @param responseTimeout the timeout for each answer; whole seconds
   * @throws SQLException if the server cannot be reached in time or refuses; later, if an answer
   *     exceeds its timeout
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
    // MariaDB's driver supports both servers and the options of MySQL's driver.
    return DriverManager.getConnection(
        url.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:"), properties);
  }
}
