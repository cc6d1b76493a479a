package org.fedometer.experiments.imported;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers names by their bytes, so that a name that comes a million times is decoded once. Holds a
 * bounded number of them. Not thread-safe.
 */
final class NameTable {
  private final int max;
  private final Map<ByteBuffer, Integer> numbers = new HashMap<>();

  NameTable(int max) {
    this.max = max;
  }

  /**
   * The name's number, from 0 in order of appearance; the number of names where it is new and there
   * is room; -1 where there is none.
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
