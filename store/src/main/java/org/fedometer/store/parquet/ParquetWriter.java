package org.fedometer.store.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.store.parquet.ParquetColumn.Encoding;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Writes one Parquet file, compressed with zstd, sequentially: row group by row group, the columns
 * of each in their order, then {@link #finish}.
 *
 * <pre>
 * writer.beginRowGroup(2);
 * writer.writeTexts(new int[] {0, 0}, new byte[][] {name}, 1);
 * writer.writeLongs(new long[] {17, 18});
 * writer.finish();
 * </pre>
 *
 * <p>A column's values are one page, so a row group should be neither too large nor too small. The
 * file is not synced. One thread.
 */
public final class ParquetWriter implements Closeable {
  /** Limit of a row group. */
  public static final int MAX_ROWS = 131_072;

  /** Limit of all texts of a dictionary together, unless it has only one. */
  public static final int MAX_DICTIONARY_BYTES = 16 << 20;

  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** Longer texts have no minimum and maximum for readers. */
  private static final int MAX_BOUND_BYTES = 1024;

  private static final int DATA_PAGE = 0;
  private static final int DICTIONARY_PAGE = 2;
  private static final int PLAIN = 0;
  private static final int RUN_LENGTHS = 3;

  private final FileChannel file;
  private final List<ParquetColumn> columns;
  private final Map<String, String> metadata;
  private final PageCompressor pages;
  private final List<List<ColumnChunk>> rowGroups = new ArrayList<>();
  private List<ColumnChunk> group = List.of();
  private int rows;
  private long position;
  private boolean finished;

  // State of the current column.
  private long begin;
  private int dictionaryBytes;
  private long plainBytes;

  private ParquetWriter(
      FileChannel file,
      List<ParquetColumn> columns,
      Map<String, String> metadata,
      PageCompressor pages) {
    this.file = file;
    this.columns = columns;
    this.metadata = metadata;
    this.pages = pages;
  }

  /**
   * Starts a file; replaces an existing one.
   *
   * @param metadata for readers of the footer
   * @param pages used by no other writer at the same time; stays open
   */
  public static ParquetWriter create(
      Path file, List<ParquetColumn> columns, Map<String, String> metadata, PageCompressor pages)
      throws IOException {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("A table has at least one column");
    }
    FileChannel channel =
        PrivateFiles.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      ParquetWriter writer =
          new ParquetWriter(channel, List.copyOf(columns), new TreeMap<>(metadata), pages);
      writer.write(ByteBuffer.wrap(MAGIC));
      return writer;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @param rowCount 1 to {@link #MAX_ROWS}
   */
  public void beginRowGroup(int rowCount) {
    if (rowCount < 1 || rowCount > MAX_ROWS) {
      throw new IllegalArgumentException(
          "A row group has 1 to " + MAX_ROWS + " rows, not " + rowCount);
    }
    checkBetweenRowGroups();
    rows = rowCount;
    group = new ArrayList<>(columns.size());
    rowGroups.add(group);
  }

  /**
   * Writes the next column of the row group.
   *
   * @param numbers per row: the index of its text, from 0; extra elements are ignored
   * @param texts in UTF-8; each is used by some row
   * @param textCount number of texts; extra elements are ignored
   */
  public void writeTexts(int[] numbers, byte[][] texts, int textCount) throws IOException {
    ParquetColumn column = next(Encoding.TEXT_DICTIONARY);
    ByteSink page = pages.page();
    page.clear();
    for (int i = 0; i < textCount; i++) {
      page.put32(texts[i].length);
      page.put(texts[i]);
    }
    if (page.size() > MAX_DICTIONARY_BYTES + 4L * textCount && textCount > 1) {
      throw new IllegalArgumentException(
          "The texts of a column have at most %d bytes in a row group, not %d; write fewer rows"
              .formatted(MAX_DICTIONARY_BYTES, page.size() - 4L * textCount));
    }
    beginColumn();
    dictionaryBytes = writePage(DICTIONARY_PAGE, textCount, PLAIN);
    page.clear();
    HybridEncoding.write(page, numbers, rows, textCount);
    writePage(DATA_PAGE, rows, column.encoding().code());
    endTexts(column, texts, textCount);
  }

  /** Writes the next column, texts in UTF-8; ignores values beyond the rows. */
  public void writeBytes(byte[][] values) throws IOException {
    ParquetColumn column = next(Encoding.TEXT_PLAIN, Encoding.BYTES_PLAIN);
    ByteSink page = pages.page();
    page.clear();
    for (int i = 0; i < rows; i++) {
      page.put32(values[i].length);
      page.put(values[i]);
    }
    beginColumn();
    writePage(DATA_PAGE, rows, column.encoding().code());
    if (column.encoding() == Encoding.TEXT_PLAIN) {
      endTexts(column, values, rows);
    } else {
      endColumn(column, null, null);
    }
  }

  private void endTexts(ParquetColumn column, byte[][] texts, int count) {
    byte[] min = texts[0];
    byte[] max = texts[0];
    for (int i = 1; i < count; i++) {
      min = Arrays.compareUnsigned(texts[i], min) < 0 ? texts[i] : min;
      max = Arrays.compareUnsigned(texts[i], max) > 0 ? texts[i] : max;
    }
    boolean areShort = Math.max(min.length, max.length) <= MAX_BOUND_BYTES;
    endColumn(column, areShort ? min : null, areShort ? max : null);
  }

  /** Writes the next column of the row group; ignores values beyond the rows. */
  public void writeInts(int[] values) throws IOException {
    ParquetColumn column = next(Encoding.INT_PLAIN);
    ByteSink page = pages.page();
    page.clear();
    page.put(values, rows);
    beginColumn();
    writePage(DATA_PAGE, rows, column.encoding().code());
    int min = values[0];
    int max = values[0];
    for (int i = 1; i < rows; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    endColumn(column, plain(min), plain(max));
  }

  /**
   * Writes the next column of the row group, without minimum and maximum: readers disagree about
   * zeros and NaNs.
   *
   * @param values of the rows; extra elements are ignored
   */
  public void writeDoubles(double[] values) throws IOException {
    ParquetColumn column = next(Encoding.DOUBLE_PLAIN);
    ByteSink page = pages.page();
    page.clear();
    for (int i = 0; i < rows; i++) {
      page.put64(Double.doubleToRawLongBits(values[i]));
    }
    beginColumn();
    writePage(DATA_PAGE, rows, column.encoding().code());
    endColumn(column, null, null);
  }

  /** Writes the next column of the row group; ignores values beyond the rows. */
  public void writeLongs(long[] values) throws IOException {
    ParquetColumn column = next(Encoding.LONG_PLAIN, Encoding.LONG_DELTA);
    ByteSink page = pages.page();
    page.clear();
    if (column.encoding() == Encoding.LONG_DELTA) {
      pages.delta().write(page, values, rows);
    } else {
      page.put(values, rows);
    }
    beginColumn();
    writePage(DATA_PAGE, rows, column.encoding().code());
    long min = values[0];
    long max = values[0];
    for (int i = 1; i < rows; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    endColumn(column, plain(min), plain(max));
  }

  /** Writes the next column of the row group; ignores values beyond the rows. */
  public void writeFlags(boolean[] values) throws IOException {
    ParquetColumn column = next(Encoding.FLAG_PLAIN);
    ByteSink page = pages.page();
    page.clear();
    boolean all = true;
    boolean any = false;
    int bits = 0;
    for (int i = 0; i < rows; i++) {
      all &= values[i];
      any |= values[i];
      bits |= values[i] ? 1 << (i & 7) : 0;
      if ((i & 7) == 7) {
        page.put8(bits);
        bits = 0;
      }
    }
    if ((rows & 7) != 0) {
      page.put8(bits);
    }
    beginColumn();
    writePage(DATA_PAGE, rows, column.encoding().code());
    endColumn(column, new byte[] {(byte) (all ? 1 : 0)}, new byte[] {(byte) (any ? 1 : 0)});
  }

  public void putMetadata(String key, String value) {
    metadata.put(key, value);
  }

  /** Ends the file. Without row groups, it is an empty table. */
  public void finish() throws IOException {
    checkBetweenRowGroups();
    ByteSink footer = pages.header();
    footer.clear();
    Footer.write(footer, columns, rowGroups, metadata);
    footer.put32(footer.size());
    footer.put(MAGIC);
    write(footer.asBuffer());
    finished = true;
  }

  /** Closes the file, which is invalid without {@link #finish}. */
  @Override
  public void close() throws IOException {
    file.close();
  }

  private void checkBetweenRowGroups() {
    if (finished) {
      throw new IllegalStateException("The file is finished");
    }
    if (!rowGroups.isEmpty() && group.size() < columns.size()) {
      throw new IllegalStateException(
          "The row group lacks the column " + columns.get(group.size()).name());
    }
  }

  private ParquetColumn next(Encoding... allowed) {
    if (rowGroups.isEmpty() || group.size() == columns.size()) {
      throw new IllegalStateException("Begin a row group first");
    }
    ParquetColumn column = columns.get(group.size());
    if (!Arrays.asList(allowed).contains(column.encoding())) {
      throw new IllegalStateException(
          "The next column is " + column.name() + ", written as " + column.encoding());
    }
    return column;
  }

  private void beginColumn() {
    begin = position;
    dictionaryBytes = 0;
    plainBytes = 0;
  }

  private void endColumn(ParquetColumn column, byte[] min, byte[] max) {
    group.add(
        new ColumnChunk(
            column, rows, begin, dictionaryBytes, plainBytes, position - begin, min, max));
  }

  /** Returns its size in the file, in bytes. */
  private int writePage(int type, int values, int encoding) throws IOException {
    ByteBuffer compressed = pages.compressedPage();
    int size = pages.page().size();
    ByteSink header = pages.header();
    header.clear();
    ThriftWriter out = new ThriftWriter(header);
    out.i32(1, type);
    out.i32(2, size);
    out.i32(3, compressed.remaining());
    out.struct(type == DATA_PAGE ? 5 : 7);
    out.i32(1, values);
    out.i32(2, encoding);
    if (type == DATA_PAGE) {
      // Encodings of levels, which required columns do not have.
      out.i32(3, RUN_LENGTHS);
      out.i32(4, RUN_LENGTHS);
    }
    out.end();
    out.end();
    plainBytes += header.size() + size;
    int written = header.size() + compressed.remaining();
    write(header.asBuffer());
    write(compressed);
    return written;
  }

  private void write(ByteBuffer bytes) throws IOException {
    position += bytes.remaining();
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  private static byte[] plain(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(value);
    return bytes;
  }

  private static byte[] plain(long value) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    return bytes;
  }
}
