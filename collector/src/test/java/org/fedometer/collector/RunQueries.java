package org.fedometer.collector;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/** Asks a store the way its users do. */
public final class RunQueries {
  private RunQueries() {}

  /** Rows as text, columns separated by {@code |}. */
  public static List<String> rows(Path store, String run, String sql) throws Exception {
    try (Query query = RunStore.at(store).run(run).query()) {
      return rows(query, sql);
    }
  }

  /** The same of a run that is open already, for many queries. */
  static List<String> rows(Query query, String sql) throws QueryException {
    try (Rows rows = query.execute(sql)) {
      List<String> result = new ArrayList<>();
      while (rows.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns().size(); i++) {
          columns.add(rows.text(i));
        }
        result.add(String.join("|", columns));
      }
      return result;
    }
  }
}
