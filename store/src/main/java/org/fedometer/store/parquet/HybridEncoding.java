package org.fedometer.store.parquet;

/**
 * Parquet's hybrid of run lengths and bit packing, for dictionary indexes. Stateless, any thread.
 */
final class HybridEncoding {
  /** Packed numbers come in groups of eight. */
  private static final int GROUP = 8;

  private HybridEncoding() {}

  /**
   * @param numbers from 0 to {@code different - 1}
   */
  static void write(ByteSink out, int[] numbers, int count, int different) {
    // Some readers do not support a width of 0.
    int width = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(different - 1));
    out.put8(width);
    int at = 0;
    while (at < count) {
      int run = runLength(numbers, at, count);
      if (run >= GROUP) {
        writeRun(out, numbers[at], run, width);
        at += run;
      } else {
        int end = endOfPacked(numbers, at, count);
        int groups = (end - at + GROUP - 1) / GROUP;
        out.varint((long) groups << 1 | 1);
        out.pack(numbers, at, end - at, width);
        fillUp(out, end - at, groups, width);
        at = end;
      }
    }
  }

  private static int runLength(int[] numbers, int begin, int count) {
    int at = begin + 1;
    while (at < count && numbers[at] == numbers[begin]) {
      at++;
    }
    return at - begin;
  }

  private static void writeRun(ByteSink out, int number, int run, int width) {
    out.varint((long) run << 1);
    for (int bits = 0; bits < width; bits += Byte.SIZE) {
      out.put8(number >>> bits);
    }
  }

  /** Returns the end of whole groups before a group of equal numbers. */
  private static int endOfPacked(int[] numbers, int begin, int count) {
    int at = begin + GROUP;
    while (at < count && !isGroupOfEquals(numbers, at, count)) {
      at += GROUP;
    }
    return Math.min(at, count);
  }

  private static boolean isGroupOfEquals(int[] numbers, int begin, int count) {
    if (count - begin < GROUP) {
      return false;
    }
    for (int i = begin + 1; i < begin + GROUP; i++) {
      if (numbers[i] != numbers[begin]) {
        return false;
      }
    }
    return true;
  }

  /** Pads the last group, which may lack numbers but not bytes. */
  private static void fillUp(ByteSink out, int packed, int groups, int width) {
    int present = (packed * width + 7) / 8;
    for (int missing = groups * width - present; missing > 0; missing--) {
      out.put8(0);
    }
  }
}
