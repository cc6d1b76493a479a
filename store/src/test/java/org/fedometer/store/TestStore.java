package org.fedometer.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.disk.Durable;

/** Creates runs of a few Parquet files, and queries them. */
public final class TestStore {
  private TestStore() {}

  /** Writes what a SELECT gives as a file of a table, at once, as the sealer does. */
  public static Path write(RunFolder run, String table, String file, String select)
      throws IOException, SQLException {
    Path directory = Files.createDirectories(run.path().resolve("tables").resolve(table));
    Path place = directory.resolve(file);
    Path aside = run.path().resolve(table + "-" + file + ".tmp");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute("COPY (" + select + ") TO '" + aside + "' (FORMAT parquet)");
    }
    Durable.moveIntoPlace(aside, place);
    return place;
  }

  /** Samples with the traces from (inclusive) to (exclusive). */
  public static String samples(long from, long to) {
    return "SELECT 's' AS source, 'ingest' AS stage, 't' AS thread, range AS trace,"
        + " range * 10 AS start_nanos, 5::BIGINT AS duration_nanos, 1::BIGINT AS children_nanos,"
        + " false AS failed FROM range("
        + from
        + ", "
        + to
        + ")";
  }

  /** Rows as text, columns separated by {@code |}. */
  public static List<String> query(Query query, String sql, Object... parameters)
      throws QueryException {
    try (Rows rows = query.execute(sql, parameters)) {
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
