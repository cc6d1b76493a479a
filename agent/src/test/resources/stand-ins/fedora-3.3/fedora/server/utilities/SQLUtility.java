package fedora.server.utilities;

import java.sql.Connection;

public abstract class SQLUtility {
  private static final SQLUtility INSTANCE = new SQLUtilityImpl();

  public static void replaceInto(
      Connection connection,
      String table,
      String[] columns,
      String[] values,
      String uniqueColumn,
      boolean[] numeric)
      throws Exception {
    INSTANCE.i_replaceInto(connection);
  }

  abstract void i_replaceInto(Connection connection) throws Exception;
}
