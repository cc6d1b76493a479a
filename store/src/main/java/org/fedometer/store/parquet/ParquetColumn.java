package org.fedometer.store.parquet;

import java.util.Objects;

/**
 * A column of a table: required, so that there is no null in it.
 *
 * @param encoding which also says what its values are
 */
public record ParquetColumn(String name, Encoding encoding) {

  /** How values are written before they are compressed. */
  public enum Encoding {
    /** Texts: the different ones of a row group once, then a number a row. */
    TEXT_DICTIONARY(PhysicalType.BYTE_ARRAY, 8),
    /** Texts as they are: such of which most are different. */
    TEXT_PLAIN(PhysicalType.BYTE_ARRAY, 0),
    /** Bytes that are no text. */
    BYTES_PLAIN(PhysicalType.BYTE_ARRAY, 0),
    /** Ints as they are. */
    INT_PLAIN(PhysicalType.INT32, 0),
    /** Longs as they are: many equal ones, or zeros. */
    LONG_PLAIN(PhysicalType.INT64, 0),
    /** Differences of neighbouring longs: such that grow, or stay as they are. */
    LONG_DELTA(PhysicalType.INT64, 5),
    /** Doubles as they are. */
    DOUBLE_PLAIN(PhysicalType.DOUBLE, 0),
    /** True or false, a bit each. */
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

    /** Its number in Parquet. */
    int code() {
      return code;
    }

    /** Whether readers are to take the bytes for UTF-8. */
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
