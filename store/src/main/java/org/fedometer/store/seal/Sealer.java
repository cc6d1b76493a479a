package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionBuilder;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.fedometer.store.Disposal;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentReader;

/**
 * Turns segments into Parquet files. Sealing the same segment again, after a crash at whatever
 * point, gives the same rows under the same names, so nothing is ever doubled; the segment goes
 * last. A segment is read twice, so that its samples, of which there may be millions, need not be
 * held: first all but the samples, then those as a stream. For one thread at a time; worth keeping,
 * as it keeps a DuckDB.
 */
public final class Sealer implements Closeable {
  private static final String SAMPLES =
      "SELECT s.name AS source, coalesce(g.name, '"
          + RawTables.STAGE_WITHOUT_NAME
          + "' || (-1 - r.stage)) AS stage, coalesce(t.name, '"
          + RawTables.THREAD_WITHOUT_NAME
          + "' || (-1 - r.thread)) AS thread, r.trace, r.start_nanos,"
          + " r.total_nanos, r.children_nanos, r.failed FROM segment_samples() r"
          + " JOIN source_names s ON s.id = r.source"
          + " LEFT JOIN stage_names g ON g.id = r.stage"
          + " LEFT JOIN thread_names t ON t.id = r.thread";

  private final String storeId;
  private final String memoryLimit;
  private final SampleChunk chunk = new SampleChunk();
  private DuckDBConnection database;
  private SampleStream stream;

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
      throws SQLException, IOException {
    try (SampleStream samples = new SampleStream(segment, raw.sources(), rollups, chunk)) {
      writeNames("source_names", sourceNames(raw.sources()));
      writeNames("stage_names", samples.stages());
      writeNames("thread_names", samples.threads());
      stream = samples;
      publish(run, Table.SAMPLES, name, scratch, SAMPLES);
      return samples.count();
    } finally {
      stream = null;
    }
  }

  private static List<String> sourceNames(Map<Integer, RawSource> sources) {
    int largest = sources.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
    String[] names = new String[largest + 1];
    Arrays.fill(names, "");
    sources.forEach((index, source) -> names[index] = source.uuid());
    return List.of(names);
  }

  private void writeNames(String table, List<String> names) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute("CREATE OR REPLACE TABLE " + table + " (id INTEGER, name VARCHAR)");
    }
    try (DuckDBAppender appender = database.createAppender(table)) {
      for (int id = 0; id < names.size(); id++) {
        appender.beginRow().append(id).append(names.get(id)).endRow();
      }
    }
  }

  private void open(Path scratch) throws SQLException {
    if (database == null) {
      database = DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
      try (Statement statement = database.createStatement()) {
        statement.execute("SET memory_limit = '" + memoryLimit + "'");
        statement.execute("SET threads = 1");
        // Joins stay as written: rows stream past the small tables of names and keep their order.
        statement.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'");
      }
      // A function cannot be taken back, so there is one for all segments.
      try (DuckDBTableFunctionBuilder builder = DuckDBFunctions.tableFunction()) {
        builder.withName("segment_samples").withFunction(new PresentStream()).register(database);
      }
    }
    try (Statement statement = database.createStatement()) {
      statement.execute("SET temp_directory = '" + escaped(spillOf(scratch)) + "'");
    }
  }

  private void publish(RunFolder run, Table table, SegmentName name, Path scratch, String rows)
      throws SQLException, IOException {
    Path aside = scratch.resolve(table.tableName() + ".parquet");
    ParquetCopy.write(database, rows, aside);
    Path directory = run.tableDirectory(table);
    Durable.createDirectories(directory);
    Durable.moveIntoPlace(aside, directory.resolve(name.sealedFile()));
  }

  static String escaped(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }

  /** Lets go of the DuckDB; the next sealing opens another. */
  @Override
  public void close() throws IOException {
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

  /** DuckDB's way to the segment that is being sealed. */
  private final class PresentStream implements DuckDBTableFunction<Object, Object, Object> {
    @Override
    public Object bind(DuckDBTableFunctionBindInfo info) {
      SampleStream.bind(info);
      return this;
    }

    @Override
    public Object init(DuckDBTableFunctionInitInfo info) {
      info.setMaxThreads(1);
      return this;
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter target)
        throws IOException {
      return stream.writeNext(target);
    }
  }
}
