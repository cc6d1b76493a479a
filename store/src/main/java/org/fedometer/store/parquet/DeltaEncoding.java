package org.fedometer.store.parquet;

/**
 * Parquet's {@code DELTA_BINARY_PACKED}: differences in blocks of 128, each less the block's
 * minimum. Differences may overflow, as a reader's do. One thread.
 */
final class DeltaEncoding {
  private static final int BLOCK = 128;
  private static final int MINIBLOCKS = 4;
  private static final int MINIBLOCK = BLOCK / MINIBLOCKS;

  private final long[] differences = new long[BLOCK];
  private final long[] packed = new long[MINIBLOCK];

  void write(ByteSink out, long[] values, int count) {
    out.varint(BLOCK);
    out.varint(MINIBLOCKS);
    out.varint(count);
    out.zigzag(values[0]);
    for (int begin = 1; begin < count; begin += BLOCK) {
      writeBlock(out, values, begin, Math.min(BLOCK, count - begin));
    }
  }

  private void writeBlock(ByteSink out, long[] values, int begin, int count) {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long difference = values[begin + i] - values[begin + i - 1];
      differences[i] = difference;
      min = Math.min(min, difference);
    }
    out.zigzag(min);
    int widthsAt = out.size();
    out.put32(0);
    for (int miniblock = 0; miniblock * MINIBLOCK < count; miniblock++) {
      int from = miniblock * MINIBLOCK;
      int present = Math.min(MINIBLOCK, count - from);
      long all = 0;
      for (int i = 0; i < present; i++) {
        packed[i] = differences[from + i] - min;
        all |= packed[i];
      }
      for (int i = present; i < MINIBLOCK; i++) {
        packed[i] = 0;
      }
      int width = Long.SIZE - Long.numberOfLeadingZeros(all);
      out.set8(widthsAt + miniblock, width);
      out.pack(packed, MINIBLOCK, width);
    }
  }
}
