package fedora.server.utilities;

import java.sql.Connection;
import java.sql.Statement;

class SQLUtilityImpl extends SQLUtility {
  @Override
  void i_replaceInto(Connection connection) throws Exception {
    i_updateRow(connection);
    i_addRow(connection);
  }

  private void i_updateRow(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE");
    }
  }

  private void i_addRow(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT");
    }
  }
}
