package org.fedometer.store.seal;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Queries a DuckDB without knowledge of runs, like a user's own. */
final class RawSql {
  private RawSql() {}

  /** Rows as text, columns separated by {@code |}. */
  static List<String> rows(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> result = new ArrayList<>();
      while (rows.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          columns.add(String.valueOf(rows.getString(i)));
        }
        result.add(String.join("|", columns));
      }
      return result;
    }
  }
}
