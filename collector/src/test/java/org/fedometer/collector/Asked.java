package org.fedometer.collector;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.store.RunQuery;
import org.fedometer.store.RunStore;

/** Asks a store the way its users do. */
public final class Asked {
  private Asked() {}

  /** Rows as text, columns separated by {@code |}. */
  public static List<String> rows(Path store, String run, String sql) throws Exception {
    try (RunQuery query = RunQuery.open(RunStore.at(store).run(run));
        Statement statement = query.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> result = new ArrayList<>();
      while (rows.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          columns.add(rows.getString(i));
        }
        result.add(String.join("|", columns));
      }
      return result;
    }
  }
}
