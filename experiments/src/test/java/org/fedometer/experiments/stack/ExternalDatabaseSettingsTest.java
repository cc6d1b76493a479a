package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class ExternalDatabaseSettingsTest {

  /** A database with a table of that name, in the place of PostgreSQL with its view. */
  @Test
  void recordsNonDefaultSettingsWithoutSecrets() throws SQLException {
    try (Connection server = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = server.createStatement()) {
      statement.execute(
          "CREATE TABLE pg_settings (name VARCHAR, setting VARCHAR, unit VARCHAR, source VARCHAR)");
      statement.execute(
          "INSERT INTO pg_settings VALUES"
              + " ('work_mem', '4096', 'kB', 'configuration file'),"
              + " ('fsync', 'off', NULL, 'command line'),"
              + " ('jit', 'on', NULL, 'default'),"
              + " ('application_name', 'fedometer', NULL, 'client'),"
              + " ('primary_conninfo', 'user=a password=Secret1', NULL, 'configuration file'),"
              + " ('archive_command', 'put --key Secret1', NULL, 'configuration file')");

      assertThat(ExternalDatabaseSettings.read(asPostgresql(server)))
          .isEqualTo("fsync = off\nwork_mem = 4096 kB\n");
    }
  }

  private static Connection asPostgresql(Connection server) {
    DatabaseMetaData metaData = standIn(DatabaseMetaData.class, "PostgreSQL");
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                method.getName().equals("getMetaData")
                    ? metaData
                    : method.invoke(server, arguments));
  }

  private static <T> T standIn(Class<T> type, String answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> answer));
  }
}
