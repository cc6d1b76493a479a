package org.fedometer.store.parquet;

import java.util.List;
import java.util.Map;
import org.fedometer.store.parquet.ParquetColumn.PhysicalType;

/** The end of a Parquet file, which locates everything else. Stateless, any thread. */
final class Footer {
  private static final int REQUIRED = 0;
  private static final int UTF8 = 0;
  private static final int INT_32 = 17;
  private static final int INT_64 = 18;

  private Footer() {}

  /**
   * @param rowGroups each has the columns in their order
   */
  static void write(
      ByteSink sink,
      List<ParquetColumn> columns,
      List<List<ColumnChunk>> rowGroups,
      Map<String, String> metadata) {
    ThriftWriter out = new ThriftWriter(sink);
    out.i32(1, 1);
    out.list(2, ThriftWriter.STRUCT, columns.size() + 1);
    writeRoot(out, columns.size());
    for (ParquetColumn column : columns) {
      writeColumn(out, column);
    }
    out.i64(3, rowGroups.stream().mapToLong(group -> group.get(0).rows()).sum());
    out.list(4, ThriftWriter.STRUCT, rowGroups.size());
    for (List<ColumnChunk> group : rowGroups) {
      writeRowGroup(out, group);
    }
    out.list(5, ThriftWriter.STRUCT, metadata.size());
    metadata.forEach((key, value) -> writeEntry(out, key, value));
    out.text(6, createdBy());
    out.list(7, ThriftWriter.STRUCT, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      writeOrder(out);
    }
    out.end();
  }

  private static void writeRoot(ThriftWriter out, int columns) {
    out.element();
    out.text(4, "schema");
    out.i32(5, columns);
    out.end();
  }

  private static void writeColumn(ThriftWriter out, ParquetColumn column) {
    PhysicalType type = column.encoding().physicalType();
    out.element();
    out.i32(1, type.code());
    out.i32(3, REQUIRED);
    out.text(4, column.name());
    if (column.encoding().isText()) {
      out.i32(6, UTF8);
      out.struct(10);
      out.struct(1);
      out.end();
      out.end();
    } else if (type == PhysicalType.INT64) {
      writeSigned(out, INT_64, Long.SIZE);
    } else if (type == PhysicalType.INT32) {
      writeSigned(out, INT_32, Integer.SIZE);
    }
    out.end();
  }

  private static void writeSigned(ThriftWriter out, int convertedType, int bits) {
    out.i32(6, convertedType);
    out.struct(10);
    out.struct(10);
    out.i8(1, bits);
    out.flag(2, true);
    out.end();
    out.end();
  }

  private static void writeRowGroup(ThriftWriter out, List<ColumnChunk> group) {
    out.element();
    out.list(1, ThriftWriter.STRUCT, group.size());
    for (ColumnChunk chunk : group) {
      chunk.write(out);
    }
    out.i64(2, group.stream().mapToLong(ColumnChunk::plainBytes).sum());
    out.i64(3, group.get(0).rows());
    out.i64(5, group.get(0).begin());
    out.i64(6, group.stream().mapToLong(ColumnChunk::fileBytes).sum());
    out.end();
  }

  private static void writeEntry(ThriftWriter out, String key, String value) {
    out.element();
    out.text(1, key);
    out.text(2, value);
    out.end();
  }

  /** Without it, readers ignore the minimum and maximum of texts. */
  private static void writeOrder(ThriftWriter out) {
    out.element();
    out.struct(1);
    out.end();
    out.end();
  }

  private static String createdBy() {
    String version = Footer.class.getPackage().getImplementationVersion();
    return "fedometer version " + (version == null ? "development" : version);
  }
}
