package org.fedometer.store.parquet;

import java.util.List;

/**
 * One column of a row group, for the footer.
 *
 * @param begin position of its first page in the file
 * @param dictionaryBytes of the dictionary's page with its header; 0 without one
 * @param plainBytes of all its pages, uncompressed, with their headers
 * @param fileBytes of all its pages in the file
 * @param min in Parquet's plain encoding; null to omit it
 * @param max in Parquet's plain encoding; null to omit it
 */
record ColumnChunk(
    ParquetColumn column,
    int rows,
    long begin,
    int dictionaryBytes,
    long plainBytes,
    long fileBytes,
    byte[] min,
    byte[] max) {
  private static final int PLAIN = 0;
  private static final int RUN_LENGTHS = 3;
  private static final int ZSTD = 6;

  void write(ThriftWriter out) {
    out.element();
    // Readers interpret it as the start of the column.
    out.i64(2, begin);
    out.struct(3);
    out.i32(1, column.encoding().physicalType().code());
    List<Integer> encodings = encodings();
    out.list(2, ThriftWriter.I32, encodings.size());
    encodings.forEach(out::element);
    out.list(3, ThriftWriter.BINARY, 1);
    out.element(column.name());
    out.i32(4, ZSTD);
    out.i64(5, rows);
    out.i64(6, plainBytes);
    out.i64(7, fileBytes);
    out.i64(9, begin + dictionaryBytes);
    if (dictionaryBytes > 0) {
      out.i64(11, begin);
    }
    out.struct(12);
    out.i64(3, 0);
    if (min != null) {
      out.binary(5, max);
      out.binary(6, min);
      out.flag(7, true);
      out.flag(8, true);
    }
    out.end();
    out.end();
    out.end();
  }

  /** Returns all encodings in its pages: of the dictionary, the values, and the (absent) levels. */
  private List<Integer> encodings() {
    int ofValues = column.encoding().code();
    return dictionaryBytes > 0 || ofValues == PLAIN
        ? List.of(PLAIN, RUN_LENGTHS, ofValues).stream().distinct().toList()
        : List.of(RUN_LENGTHS, ofValues);
  }
}
