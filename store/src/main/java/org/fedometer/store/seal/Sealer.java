package org.fedometer.store.seal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.duckdb.DuckDBConnection;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.segment.SegmentReader;

/**
 * Turns segments into Parquet files. Sealing the same segment again, after a crash at whatever
 * point, gives the same files under the same names, so nothing is ever doubled; the segment goes
 * last. Memory is bounded by DuckDB's limit, not by the segment. For one thread at a time.
 */
public final class Sealer {
  private static final String SUFFIX = ".segment";

  private final String memoryLimit;

  /**
   * @param memoryLimit what DuckDB may use before it goes to disk, such as {@code 256MB}
   */
  public Sealer(String memoryLimit) {
    this.memoryLimit = memoryLimit;
  }

  /**
   * Seals a segment that nobody appends to any more, and deletes it.
   *
   * @throws IOException the segment is still there; the call may be repeated
   */
  public SealResult seal(RunFolder run, Path segment) throws IOException {
    String fileName = segment.getFileName().toString();
    String number = fileName.substring(0, fileName.length() - SUFFIX.length());
    Path scratch = run.segmentDirectory().resolve("seal-" + number + ".tmp");
    Scratch.delete(scratch);
    Files.createDirectories(scratch);
    try (DuckDBConnection database =
        DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class)) {
      configure(database, scratch);
      SealResult result;
      try (RawTables raw = new RawTables(database)) {
        SegmentReader.Extent extent = SegmentReader.read(segment, raw);
        raw.finish();
        result = raw.result(segment, extent.tornBytes());
      }
      for (Table table : Table.values()) {
        publish(database, run, table, number, scratch);
      }
      Files.delete(segment);
      Durable.syncDirectory(run.segmentDirectory());
      return result;
    } catch (SQLException | RawTables.AppendFailure e) {
      throw new IOException("Cannot seal " + segment + ": " + e.getMessage(), e);
    } finally {
      Scratch.delete(scratch);
    }
  }

  private void configure(DuckDBConnection database, Path scratch) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute("SET memory_limit = '" + memoryLimit + "'");
      statement.execute("SET temp_directory = '" + escaped(scratch.resolve("spill")) + "'");
      statement.execute("SET threads = 1");
      // Joins stay as written: rows stream past the small table of names and keep their order.
      statement.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'");
    }
  }

  private static void publish(
      DuckDBConnection database, RunFolder run, Table table, String number, Path scratch)
      throws SQLException, IOException {
    Path aside = scratch.resolve(table.tableName() + ".parquet");
    try (Statement statement = database.createStatement()) {
      String rows = RawTables.sealedRowsOf(table);
      try (var any = statement.executeQuery("SELECT 1 FROM (" + rows + ") LIMIT 1")) {
        if (!any.next()) {
          return;
        }
      }
      statement.execute(
          "COPY (" + rows + ") TO '" + escaped(aside) + "' (FORMAT parquet, COMPRESSION zstd)");
    }
    Path directory = run.tableDirectory(table);
    Durable.createDirectories(directory);
    Durable.moveIntoPlace(aside, directory.resolve(number + ".parquet"));
  }

  private static String escaped(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }
}
