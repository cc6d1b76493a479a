package org.fedometer.store.seal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.fedometer.store.parquet.ParquetWriter;

/** The dictionary of one column of a row group. Reused for each row group, by one thread. */
final class RowGroupNames {
  private static final int NONE = -1;

  /** Limit of all names of a row group together, unless it has only one. */
  private static final int MAX_BYTES = 4 << 20;

  private final IntUnaryOperator firstOf;
  private final IntFunction<String> nameOf;

  /** Dictionary indexes by number from 0, and those of negative numbers. */
  private final int[] indexes;

  private final Map<Integer, Integer> namelessIndexes = new HashMap<>();
  private final int[] rows = new int[ParquetWriter.MAX_ROWS];
  private int[] numbers = new int[64];
  private byte[][] texts = new byte[64][];
  private int count;
  private int bytes;
  private int used;

  /**
   * @param numberCount numbers are below it, and may be negative
   * @param firstOf maps all numbers with the same name to one
   */
  RowGroupNames(int numberCount, IntUnaryOperator firstOf, IntFunction<String> nameOf) {
    this.firstOf = firstOf;
    this.nameOf = nameOf;
    this.indexes = new int[numberCount];
    Arrays.fill(indexes, NONE);
  }

  /** Adds rows until the dictionary would become too large; returns their number, at least one. */
  int addRows(int[] rowNumbers, int rowCount) {
    clear();
    for (int row = 0; row < rowCount; row++) {
      int number = rowNumbers[row];
      int index = number < 0 ? namelessIndexes.getOrDefault(number, NONE) : indexes[number];
      if (index == NONE) {
        index = add(number);
        if (index == NONE) {
          return row;
        }
      }
      rows[row] = index;
    }
    return rowCount;
  }

  void write(ParquetWriter target) throws IOException {
    target.writeTexts(rows, texts, count);
  }

  private void clear() {
    for (int i = 0; i < count; i++) {
      texts[i] = null;
    }
    for (int i = 0; i < used; i++) {
      indexes[numbers[i]] = NONE;
    }
    namelessIndexes.clear();
    count = 0;
    used = 0;
    bytes = 0;
  }

  /** Returns its index; none if it does not fit. */
  private int add(int number) {
    int first = firstOf.applyAsInt(number);
    if (first != number && indexes[first] != NONE) {
      remember(number, indexes[first]);
      return indexes[first];
    }
    byte[] text = nameOf.apply(number).getBytes(StandardCharsets.UTF_8);
    if (count > 0 && bytes + text.length > MAX_BYTES) {
      return NONE;
    }
    if (count == texts.length) {
      texts = Arrays.copyOf(texts, 2 * count);
    }
    texts[count] = text;
    bytes += text.length;
    remember(number, count);
    if (first != number) {
      remember(first, count);
    }
    return count++;
  }

  private void remember(int number, int index) {
    if (number < 0) {
      namelessIndexes.put(number, index);
      return;
    }
    if (used == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * used);
    }
    numbers[used++] = number;
    indexes[number] = index;
  }
}
