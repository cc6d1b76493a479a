package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.duckdb.DuckDBConnection;
import org.fedometer.store.Disposal;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentReader;

/**
 * Turns segments into Parquet files. Sealing the same segment again, after a crash at whatever
 * point, gives the same rows under the same names, so nothing is ever doubled; the segment goes
 * last. A segment is read twice, so that its samples, of which there may be millions, need not be
 * held: first all but the samples, then those as a stream. For one thread at a time; worth keeping,
 * as it keeps a DuckDB and some megabytes of memory.
 */
public final class Sealer implements Closeable {
  private final String storeId;
  private final String memoryLimit;
  private final SampleChunk chunk = new SampleChunk();
  private DuckDBConnection database;
  private PageCompressor pages;

  /**
   * @param storeId of the store; another one may have gone on with its segments since they were
   *     copied here, so that of them only parts are sealed, see {@link SegmentName}
   * @param memoryLimit what DuckDB may use before it goes to disk, such as {@code 256MB}
   */
  public Sealer(String storeId, String memoryLimit) {
    this.storeId = storeId;
    this.memoryLimit = memoryLimit;
  }

  /**
   * Seals a segment that nobody appends to any more, and deletes it.
   *
   * @throws IOException the segment is still there; the call may be repeated
   */
  public SealResult seal(RunFolder run, Path segment) throws IOException {
    SegmentName name =
        SegmentName.ofSegment(segment)
            .orElseThrow(() -> new IOException(segment + " is not called like a segment"));
    Path scratch = run.segmentDirectory().resolve("seal-" + segment.getFileName() + ".tmp");
    Disposal.delete(scratch);
    Files.createDirectories(scratch);
    try {
      SealResult result = seal(run, segment, name, scratch);
      Files.delete(segment);
      Durable.syncDirectory(run.segmentDirectory());
      if (Files.exists(spillOf(scratch))) {
        // DuckDB cannot be told another place once it has used one.
        close();
      }
      Disposal.delete(scratch);
      return result;
    } catch (SQLException | RawTables.AppendFailure e) {
      IOException failure = new IOException("Cannot seal " + segment + ": " + e.getMessage(), e);
      cleanUp(scratch, failure);
      throw failure;
    } catch (IOException | RuntimeException | Error e) {
      cleanUp(scratch, e);
      throw e;
    }
  }

  /** Whatever DuckDB thinks of the failure, the next attempt begins with a fresh one. */
  private void cleanUp(Path scratch, Throwable failure) {
    try {
      close();
      Disposal.delete(scratch);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static Path spillOf(Path scratch) {
    return scratch.resolve("spill");
  }

  private SealResult seal(RunFolder run, Path segment, SegmentName whole, Path scratch)
      throws SQLException, IOException {
    open(scratch);
    Rollups rollups = new Rollups();
    try (RawTables raw = new RawTables(database, rollups)) {
      SegmentReader.Extent extent = SegmentReader.read(segment, raw);
      SegmentName name = storeId.equals(whole.storeId()) ? whole : whole.part(extent.validBytes());
      long samples = raw.hasSamples() ? writeSamples(run, segment, name, scratch, raw, rollups) : 0;
      raw.finish();
      for (Table table : Table.values()) {
        if (table != Table.SAMPLES && raw.rowsOf(table) > 0) {
          String rows = "FROM " + RawTables.rawNameOf(table) + " ORDER BY ";
          publish(run, table, name, scratch, rows + RawTables.orderOf(table));
        }
      }
      return new SealResult(
          segment,
          samples,
          raw.rowsOf(Table.REQUESTS),
          raw.rowsOf(Table.TRACES),
          raw.sources().values().stream().mapToLong(RawSource::framesUnreadable).sum(),
          extent.tornBytes());
    }
  }

  private long writeSamples(
      RunFolder run, Path segment, SegmentName name, Path scratch, RawTables raw, Rollups rollups)
      throws IOException {
    try (SampleStream samples = new SampleStream(segment, raw.sources(), rollups, chunk)) {
      if (!samples.next()) {
        return 0;
      }
      Path aside = asideOf(Table.SAMPLES, scratch);
      try (SampleFile file = new SampleFile(aside, samples, pages)) {
        do {
          file.write(chunk);
        } while (samples.next());
        file.finish();
      }
      moveIntoPlace(aside, run, Table.SAMPLES, name);
      return samples.count();
    }
  }

  private void open(Path scratch) throws SQLException {
    if (database == null) {
      database = DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
      try (Statement statement = database.createStatement()) {
        statement.execute("SET memory_limit = '" + memoryLimit + "'");
        statement.execute("SET threads = 1");
      }
    }
    if (pages == null) {
      pages = new PageCompressor();
    }
    try (Statement statement = database.createStatement()) {
      statement.execute("SET temp_directory = '" + escaped(spillOf(scratch)) + "'");
    }
  }

  private void publish(RunFolder run, Table table, SegmentName name, Path scratch, String rows)
      throws SQLException, IOException {
    Path aside = asideOf(table, scratch);
    ParquetCopy.write(database, rows, aside);
    moveIntoPlace(aside, run, table, name);
  }

  private static Path asideOf(Table table, Path scratch) {
    return scratch.resolve(table.tableName() + ".parquet");
  }

  private static void moveIntoPlace(Path aside, RunFolder run, Table table, SegmentName name)
      throws IOException {
    Path directory = run.tableDirectory(table);
    Durable.createDirectories(directory);
    Durable.moveIntoPlace(aside, directory.resolve(name.sealedFile()));
  }

  static String escaped(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }

  /** Lets go of the DuckDB and of zstd; the next sealing opens others. */
  @Override
  public void close() throws IOException {
    if (pages != null) {
      pages.close();
      pages = null;
    }
    if (database == null) {
      return;
    }
    try {
      database.close();
    } catch (SQLException e) {
      throw new IOException("Cannot close DuckDB: " + e.getMessage(), e);
    } finally {
      database = null;
    }
  }
}
