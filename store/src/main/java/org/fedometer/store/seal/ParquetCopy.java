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

/** Writes a store's Parquet files by DuckDB. Stateless. */
final class ParquetCopy {
  static final Map<String, String> METADATA =
      Map.of("fedometer_schema", Integer.toString(StoreIdentity.SCHEMA));

  private ParquetCopy() {}

  /**
   * @param rows a query that returns the rows in writing order
   * @param more further metadata
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
