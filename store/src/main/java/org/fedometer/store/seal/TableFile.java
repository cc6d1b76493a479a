package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.parquet.ParquetColumn;
import org.fedometer.store.parquet.ParquetColumn.Encoding;
import org.fedometer.store.parquet.ParquetWriter;

/**
 * Writes a sealed file of any table but the samples. Buffers rows up to the size of a row group,
 * which is then sorted, so that memory is bounded.
 *
 * <pre>
 * file.row().add("a text").add(17).add(true).end();
 * file.finish();
 * </pre>
 *
 * <p>One thread.
 */
final class TableFile implements Closeable {
  /** Limit of a row group: some megabytes of numbers. */
  static final int MAX_ROWS = 65_536;

  /** Limit of a row group's texts and bytes, except its last row. */
  private static final int ENOUGH_BYTES = 8 << 20;

  /** Texts that repeat in many rows. */
  private static final Set<String> REPEATED =
      Set.of(
          "source",
          "stage",
          "root_stage",
          "operation",
          "thread",
          "level",
          "logger",
          "metric",
          "unit",
          "collector",
          "action",
          "cause",
          "boot_id");

  private final List<ParquetColumn> columns;
  private final ColumnBuffer[] buffers;
  private final Comparator<Integer> order;
  private final ParquetWriter file;
  private int column;
  private int buffered;
  private long bufferedBytes;
  private long rows;

  private TableFile(Table table, List<ParquetColumn> columns, ParquetWriter file) {
    this.columns = columns;
    this.buffers =
        columns.stream().map(each -> ColumnBuffer.of(each.encoding())).toArray(ColumnBuffer[]::new);
    this.order = orderOf(table);
    this.file = file;
  }

  /**
   * @param pages used by no other file while a row group is written
   */
  static TableFile create(Table table, Path file, PageCompressor pages) throws IOException {
    List<ParquetColumn> columns = table.columns().stream().map(TableFile::columnOf).toList();
    return new TableFile(
        table, columns, ParquetWriter.create(file, columns, ParquetCopy.METADATA, pages));
  }

  private static ParquetColumn columnOf(String nameAndType) {
    String[] parts = nameAndType.split(" ");
    Encoding encoding =
        switch (parts[1]) {
          case "VARCHAR" ->
              REPEATED.contains(parts[0]) ? Encoding.TEXT_DICTIONARY : Encoding.TEXT_PLAIN;
          case "BLOB" -> Encoding.BYTES_PLAIN;
          case "INTEGER" -> Encoding.INT_PLAIN;
          case "BIGINT" -> Encoding.LONG_DELTA;
          case "DOUBLE" -> Encoding.DOUBLE_PLAIN;
          case "BOOLEAN" -> Encoding.FLAG_PLAIN;
          default -> throw new IllegalArgumentException("Not written yet: " + nameAndType);
        };
    return new ParquetColumn(parts[0], encoding);
  }

  private Comparator<Integer> orderOf(Table table) {
    return switch (table) {
      case REQUESTS, GC -> by("start_nanos");
      case LOGS, TELEMETRY, MARKERS, CLOCKS -> by("at_nanos");
      case TRACES -> by("source").thenComparing(by("trace"));
      case TOTALS -> by("source").thenComparing(by("stage"));
      case ENVIRONMENT -> by("source").thenComparing(by("name"));
      case SOURCES -> by("source");
      case ROLLUPS -> by("begin_epoch_seconds").thenComparing(by("stage"));
      case SAMPLES -> throw new IllegalArgumentException("Samples have a file of their own kind");
    };
  }

  private Comparator<Integer> by(String name) {
    List<String> names = columns.stream().map(ParquetColumn::name).toList();
    return buffers[names.indexOf(name)]::compare;
  }

  long rows() {
    return rows;
  }

  /** Starts a row; add a value for each column, in their order. */
  TableFile row() {
    if (column != 0) {
      throw new IllegalStateException("The row before has not ended");
    }
    return this;
  }

  TableFile add(String value) {
    bufferedBytes += next().add(buffered, value);
    return this;
  }

  TableFile add(byte[] value) {
    bufferedBytes += next().add(buffered, value);
    return this;
  }

  TableFile add(long value) {
    next().add(buffered, value);
    return this;
  }

  TableFile add(double value) {
    next().add(buffered, value);
    return this;
  }

  TableFile add(boolean value) {
    next().add(buffered, value);
    return this;
  }

  private ColumnBuffer next() {
    if (column == buffers.length) {
      throw new IllegalStateException("The row has a value for each column already");
    }
    return buffers[column++];
  }

  void end() throws IOException {
    if (column < buffers.length) {
      throw new IllegalStateException("The row lacks " + columns.get(column).name());
    }
    column = 0;
    buffered++;
    rows++;
    if (buffered == MAX_ROWS || bufferedBytes >= ENOUGH_BYTES) {
      writeRowGroup();
    }
  }

  private void writeRowGroup() throws IOException {
    Integer[] sorted = new Integer[buffered];
    Arrays.setAll(sorted, row -> row);
    Arrays.sort(sorted, order);
    int[] inOrder = Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
    file.beginRowGroup(buffered);
    for (ColumnBuffer buffer : buffers) {
      buffer.write(file, inOrder, buffered);
      buffer.clear();
    }
    buffered = 0;
    bufferedBytes = 0;
  }

  void finish() throws IOException {
    if (buffered > 0) {
      writeRowGroup();
    }
    file.finish();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
