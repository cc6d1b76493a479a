package org.fedometer.store.seal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.fedometer.store.StoreIdentity;

/** How every Parquet file of a store is written. Stateless. */
final class ParquetCopy {
  private ParquetCopy() {}

  /**
   * @param rows a query that yields the rows in the order in which they are to be written
   */
  static void write(Connection database, String rows, Path file) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION zstd, KV_METADATA {fedometer_schema: '%d'})"
              .formatted(rows, Sealer.escaped(file), StoreIdentity.SCHEMA));
    }
  }
}
