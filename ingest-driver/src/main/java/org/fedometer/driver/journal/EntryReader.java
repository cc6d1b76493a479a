package org.fedometer.driver.journal;

import java.util.zip.CRC32C;

/**
 * Reads a journal file up to its end or its first incomplete block, since a killed driver may leave
 * half a block. Not thread-safe.
 */
final class EntryReader {

  private final byte[] file;
  private int position;
  private int end;
  private final EntryContext context = new EntryContext();

  private EntryReader(byte[] file) {
    this.file = file;
  }

  /**
   * Returns the state at the last complete block, or null if even the checkpoint is incomplete.
   *
   * @param headBytes length of the head, which is known to be right
   */
  static JournalState read(byte[] file, int headBytes) {
    EntryReader reader = new EntryReader(file);
    CRC32C check = new CRC32C();
    check.update(file, 0, headBytes);
    int blockStart = headBytes;
    JournalState state = null;
    while (true) {
      reader.position = blockStart;
      reader.end = file.length;
      long length = reader.varintOrMinusOne();
      if (length < 0 || length > file.length - reader.position - 4L) {
        break;
      }
      int payloadEnd = reader.position + (int) length;
      check.update(file, blockStart, payloadEnd - blockStart);
      if (reader.fixed32(payloadEnd) != check.getValue()) {
        break;
      }
      reader.end = payloadEnd;
      while (reader.position < reader.end) {
        if (state == null) {
          state = reader.checkpoint();
        } else {
          reader.entry(state);
        }
      }
      blockStart = payloadEnd + 4;
    }
    return state;
  }

  private void entry(JournalState state) {
    long first = varint();
    EntryKind kind = EntryKind.of((int) (first & (1 << EntryKind.BITS) - 1));
    if (kind == null) {
      throw new IllegalStateException(
          "The journal was written by a newer version of Fedometer; resume with that"
              + " version.");
    }
    long zigzag = first >>> EntryKind.BITS;
    long difference = zigzag >>> 1 ^ -(zigzag & 1);
    switch (kind) {
      case BEGUN -> {
        long index = context.expectedBegun + difference;
        context.expectedBegun = index + 1;
        state.begun(index);
      }
      case ACKNOWLEDGED, ACKNOWLEDGED_WITH_ADDITIONS -> {
        long index = settled(difference);
        long startZigzag = varint();
        context.lastStartMicros += startZigzag >>> 1 ^ -(startZigzag & 1);
        long durationNanos = varint() * 1000;
        long triples = varint();
        long contentBytes = varint();
        boolean adds = kind == EntryKind.ACKNOWLEDGED_WITH_ADDITIONS;
        long additions = adds ? varint() : 0;
        long failedAdditions = adds ? varint() : 0;
        state.acknowledged(
            new Acknowledged(
                index, 0, durationNanos, triples, contentBytes, additions, failedAdditions));
      }
      case FAILED -> state.failed(settled(difference));
      case WITHDRAWN, WITHDRAWN_WITH_ADDITIONS -> {
        long index = settled(difference);
        long triples = varint();
        long contentBytes = varint();
        long additions = kind == EntryKind.WITHDRAWN_WITH_ADDITIONS ? varint() : 0;
        state.withdrawn(index, triples, contentBytes, additions);
      }
      case CONFIRMED -> state.confirmed(settled(difference));
      case UNCONFIRMED -> state.unconfirmed(settled(difference));
      case FLUSH_BEGUN -> state.flushBegun();
      case FLUSH_CONFIRMED -> state.flushConfirmed();
      case FLUSH_FAILED -> state.flushFailed();
      case ALL_UNCONFIRMED -> state.allUnconfirmed();
      case CHECKPOINT -> throw new IllegalStateException("It has a checkpoint within the file.");
    }
  }

  private long settled(long difference) {
    context.lastSettled += difference;
    return context.lastSettled;
  }

  private JournalState checkpoint() {
    if (varint() != EntryKind.CHECKPOINT.code()) {
      throw new IllegalStateException("It does not begin with a checkpoint.");
    }
    JournalState state;
    try {
      Stride stride = new Stride(Math.toIntExact(varint()), Math.toIntExact(varint()));
      state = new JournalState(varint(), stride);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalStateException("Its checkpoint is invalid: " + e.getMessage(), e);
    }
    long triples = varint();
    long contentBytes = varint();
    long additions = varint();
    state.restore(new Totals(triples, contentBytes, additions, varint()));
    ranges(state.acknowledged());
    ranges(state.pending());
    ranges(state.failed());
    ranges(state.acknowledgedSinceFlush());
    ranges(state.flushing());
    ranges(state.unconfirmed());
    return state;
  }

  private void ranges(IndexRanges ranges) {
    long count = varint();
    long before = 0;
    for (long i = 0; i < count; i++) {
      long first = before + varint();
      before = first + varint();
      ranges.addRange(first, before);
    }
  }

  private long varint() {
    long value = varintOrMinusOne();
    if (value < 0) {
      throw new IllegalStateException("A block of the journal ends within an entry.");
    }
    return value;
  }

  private long varintOrMinusOne() {
    long value = 0;
    for (int shift = 0; shift < 63 && position < end; shift += 7) {
      byte next = file[position++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    return -1;
  }

  private long fixed32(int at) {
    long value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 8 | file[at + i] & 0xFF;
    }
    return value;
  }
}
