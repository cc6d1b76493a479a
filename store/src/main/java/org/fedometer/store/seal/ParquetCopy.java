package org.fedometer.store.seal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;
import org.fedometer.store.StoreIdentity;

/** How DuckDB writes the Parquet files of a store. Stateless. */
final class ParquetCopy {
  /** What each file says of itself. */
  static final Map<String, String> METADATA =
      Map.of("fedometer_schema", Integer.toString(StoreIdentity.SCHEMA));

  private ParquetCopy() {}

  /**
   * @param rows a query that yields the rows in the order in which they are to be written
   */
  static void write(Connection database, String rows, Path file) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION zstd, KV_METADATA {%s})"
              .formatted(rows, escaped(file), metadata()));
    }
  }

  static String escaped(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }

  private static String metadata() {
    return METADATA.entrySet().stream()
        .map(entry -> "%s: '%s'".formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }
}
