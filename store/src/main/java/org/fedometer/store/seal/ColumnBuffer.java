package org.fedometer.store.seal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.store.parquet.ParquetColumn.Encoding;
import org.fedometer.store.parquet.ParquetWriter;

/**
 * One column of the rows buffered by {@link TableFile}. Each subclass accepts only values of its
 * type. One thread.
 */
abstract sealed class ColumnBuffer {
  private static final int FIRST_CAPACITY = 16;

  /** Memory of a byte array beyond its content. */
  private static final int BYTES_OF_AN_ARRAY = 24;

  /** Memory of a text in a map beyond its content. */
  private static final int BYTES_OF_AN_ENTRY = 128;

  static ColumnBuffer of(Encoding encoding) {
    return switch (encoding) {
      case TEXT_DICTIONARY -> new FewTexts();
      case TEXT_PLAIN, BYTES_PLAIN -> new Bytes();
      case INT_PLAIN -> new Ints();
      case LONG_PLAIN, LONG_DELTA -> new Longs();
      case DOUBLE_PLAIN -> new Doubles();
      case FLAG_PLAIN -> new Flags();
    };
  }

  /** Adds a text; returns its approximate memory in bytes. */
  int add(int row, String value) {
    throw notOfThisType();
  }

  /** Adds bytes; returns their approximate memory in bytes. */
  int add(int row, byte[] value) {
    throw notOfThisType();
  }

  void add(int row, long value) {
    throw notOfThisType();
  }

  void add(int row, double value) {
    throw notOfThisType();
  }

  void add(int row, boolean value) {
    throw notOfThisType();
  }

  private IllegalStateException notOfThisType() {
    return new IllegalStateException("A value for " + getClass().getSimpleName());
  }

  /** Compares the values of two rows, as comparators do. */
  abstract int compare(int row, int other);

  /**
   * @param order the rows in the order of writing
   */
  abstract void write(ParquetWriter file, int[] order, int rows) throws IOException;

  abstract void clear();

  /** A few distinct, repeated texts. */
  private static final class FewTexts extends ColumnBuffer {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private int[] values = new int[FIRST_CAPACITY];
    private String last;
    private int lastNumber;

    @Override
    int add(int row, String value) {
      if (row == values.length) {
        values = Arrays.copyOf(values, 2 * row);
      }
      // Usually it is the same object.
      if (value != last) {
        Integer known = numbers.putIfAbsent(value, texts.size());
        last = value;
        lastNumber = known == null ? texts.size() : known;
        if (known == null) {
          texts.add(value);
          values[row] = lastNumber;
          return BYTES_OF_AN_ENTRY + 2 * value.length();
        }
      }
      values[row] = lastNumber;
      return 0;
    }

    @Override
    int compare(int row, int other) {
      int one = values[row];
      int another = values[other];
      return one == another ? 0 : texts.get(one).compareTo(texts.get(another));
    }

    @Override
    void write(ParquetWriter file, int[] order, int rows) throws IOException {
      int[] ordered = new int[rows];
      for (int i = 0; i < rows; i++) {
        ordered[i] = values[order[i]];
      }
      byte[][] dictionary =
          texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
      file.writeTexts(ordered, dictionary, dictionary.length);
    }

    @Override
    void clear() {
      numbers.clear();
      texts.clear();
      last = null;
    }
  }

  /** Mostly distinct texts, or bytes that are no text. */
  private static final class Bytes extends ColumnBuffer {
    private byte[][] values = new byte[FIRST_CAPACITY][];

    @Override
    int add(int row, String value) {
      return add(row, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    int add(int row, byte[] value) {
      if (row == values.length) {
        values = Arrays.copyOf(values, 2 * row);
      }
      values[row] = value;
      return BYTES_OF_AN_ARRAY + value.length;
    }

    @Override
    int compare(int row, int other) {
      return Arrays.compareUnsigned(values[row], values[other]);
    }

    @Override
    void write(ParquetWriter file, int[] order, int rows) throws IOException {
      byte[][] ordered = new byte[rows][];
      for (int i = 0; i < rows; i++) {
        ordered[i] = values[order[i]];
      }
      file.writeBytes(ordered);
    }

    @Override
    void clear() {
      Arrays.fill(values, null);
    }
  }

  private static final class Ints extends ColumnBuffer {
    private int[] values = new int[FIRST_CAPACITY];

    @Override
    void add(int row, long value) {
      if (row == values.length) {
        values = Arrays.copyOf(values, 2 * row);
      }
      values[row] = Math.toIntExact(value);
    }

    @Override
    int compare(int row, int other) {
      return Integer.compare(values[row], values[other]);
    }

    @Override
    void write(ParquetWriter file, int[] order, int rows) throws IOException {
      int[] ordered = new int[rows];
      for (int i = 0; i < rows; i++) {
        ordered[i] = values[order[i]];
      }
      file.writeInts(ordered);
    }

    @Override
    void clear() {
      // Later values overwrite them.
    }
  }

  private static final class Longs extends ColumnBuffer {
    private long[] values = new long[FIRST_CAPACITY];

    @Override
    void add(int row, long value) {
      if (row == values.length) {
        values = Arrays.copyOf(values, 2 * row);
      }
      values[row] = value;
    }

    @Override
    int compare(int row, int other) {
      return Long.compare(values[row], values[other]);
    }

    @Override
    void write(ParquetWriter file, int[] order, int rows) throws IOException {
      long[] ordered = new long[rows];
      for (int i = 0; i < rows; i++) {
        ordered[i] = values[order[i]];
      }
      file.writeLongs(ordered);
    }

    @Override
    void clear() {
      // Later values overwrite them.
    }
  }

  private static final class Doubles extends ColumnBuffer {
    private double[] values = new double[FIRST_CAPACITY];

    @Override
    void add(int row, double value) {
      if (row == values.length) {
        values = Arrays.copyOf(values, 2 * row);
      }
      values[row] = value;
    }

    @Override
    int compare(int row, int other) {
      return Double.compare(values[row], values[other]);
    }

    @Override
    void write(ParquetWriter file, int[] order, int rows) throws IOException {
      double[] ordered = new double[rows];
      for (int i = 0; i < rows; i++) {
        ordered[i] = values[order[i]];
      }
      file.writeDoubles(ordered);
    }

    @Override
    void clear() {
      // Later values overwrite them.
    }
  }

  private static final class Flags extends ColumnBuffer {
    private boolean[] values = new boolean[FIRST_CAPACITY];

    @Override
    void add(int row, boolean value) {
      if (row == values.length) {
        values = Arrays.copyOf(values, 2 * row);
      }
      values[row] = value;
    }

    @Override
    int compare(int row, int other) {
      return Boolean.compare(values[row], values[other]);
    }

    @Override
    void write(ParquetWriter file, int[] order, int rows) throws IOException {
      boolean[] ordered = new boolean[rows];
      for (int i = 0; i < rows; i++) {
        ordered[i] = values[order[i]];
      }
      file.writeFlags(ordered);
    }

    @Override
    void clear() {
      // Later values overwrite them.
    }
  }
}
