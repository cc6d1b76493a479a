package org.fedometer.experiments.imported;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers names by their bytes, so that frequent names are decoded once. Bounded. Not thread-safe.
 */
final class NameTable {
  private final int max;
  private final Map<ByteBuffer, Integer> numbers = new HashMap<>();

  NameTable(int max) {
    this.max = max;
  }

  /**
   * Returns the name's number, from 0 in order of appearance: the previous number of names if it is
   * new, or -1 if the table is full.
   */
  int numberOf(byte[] bytes, int from, int to) {
    Integer known = numbers.get(ByteBuffer.wrap(bytes, from, to - from));
    if (known != null) {
      return known;
    }
    if (numbers.size() == max) {
      return -1;
    }
    int number = numbers.size();
    numbers.put(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to)), number);
    return number;
  }

  int count() {
    return numbers.size();
  }
}
