package fedora.server.search;

import fedora.server.storage.ConnectionPool;
import fedora.server.utilities.SQLUtility;
import java.sql.Connection;
import java.sql.Statement;

public class FieldSearchSQLImpl {
  private final ConnectionPool pool;

  public FieldSearchSQLImpl(ConnectionPool pool) {
    this.pool = pool;
  }

  public void update(String reader) throws Exception {
    Connection connection = pool.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM dcDates");
      statement.executeUpdate("INSERT INTO dcDates");
      SQLUtility.replaceInto(connection, "doFields", new String[0], new String[0], "pid", null);
    } finally {
      pool.free(connection);
    }
  }
}
