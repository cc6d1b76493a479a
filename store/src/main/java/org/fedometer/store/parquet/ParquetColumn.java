package org.fedometer.store.parquet;

import java.util.Objects;

/**
 * A column of a table: required, without nulls.
 *
 * @param encoding also determines the type of its values
 */
public record ParquetColumn(String name, Encoding encoding) {

  /** Encoding of values before compression. */
  public enum Encoding {
    /** Texts: distinct ones once per row group, then an index per row. */
    TEXT_DICTIONARY(PhysicalType.BYTE_ARRAY, 8),
    /** Plain texts: for mostly distinct ones. */
    TEXT_PLAIN(PhysicalType.BYTE_ARRAY, 0),
    /** Plain bytes that are no text. */
    BYTES_PLAIN(PhysicalType.BYTE_ARRAY, 0),
    /** Plain ints. */
    INT_PLAIN(PhysicalType.INT32, 0),
    /** Plain longs: for many equal ones, or zeros. */
    LONG_PLAIN(PhysicalType.INT64, 0),
    /** Differences of neighbouring longs: for growing or constant ones. */
    LONG_DELTA(PhysicalType.INT64, 5),
    /** Plain doubles. */
    DOUBLE_PLAIN(PhysicalType.DOUBLE, 0),
    /** Booleans, a bit each. */
    FLAG_PLAIN(PhysicalType.BOOLEAN, 0);

    private final PhysicalType physicalType;
    private final int code;

    Encoding(PhysicalType physicalType, int code) {
      this.physicalType = physicalType;
      this.code = code;
    }

    PhysicalType physicalType() {
      return physicalType;
    }

    /** Returns its number in Parquet. */
    int code() {
      return code;
    }

    /** Returns whether the bytes are UTF-8. */
    boolean isText() {
      return this == TEXT_DICTIONARY || this == TEXT_PLAIN;
    }
  }

  enum PhysicalType {
    BOOLEAN(0),
    INT32(1),
    INT64(2),
    DOUBLE(5),
    BYTE_ARRAY(6);

    private final int code;

    PhysicalType(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  public ParquetColumn {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("A column needs a name");
    }
    Objects.requireNonNull(encoding);
  }
}
