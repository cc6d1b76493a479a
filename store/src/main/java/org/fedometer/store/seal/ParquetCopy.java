package org.fedometer.store.seal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.query.SqlText;

/** How DuckDB writes the Parquet files of a store. Stateless. */
final class ParquetCopy {
  /** What each file says of itself. */
  static final Map<String, String> METADATA =
      Map.of("fedometer_schema", Integer.toString(StoreIdentity.SCHEMA));

  private ParquetCopy() {}

  /**
   * @param rows a query that yields the rows in the order in which they are to be written
   * @param more what the file says of itself besides
   */
  static void write(Connection database, String rows, Path file, Map<String, String> more)
      throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (%s) TO %s (FORMAT parquet, COMPRESSION zstd, KV_METADATA {%s})"
              .formatted(rows, SqlText.literal(file), metadata(more)));
    }
  }

  private static String metadata(Map<String, String> more) {
    return Stream.of(METADATA, more)
        .flatMap(map -> map.entrySet().stream())
        .map(entry -> "%s: %s".formatted(entry.getKey(), SqlText.literal(entry.getValue())))
        .collect(Collectors.joining(", "));
  }
}
