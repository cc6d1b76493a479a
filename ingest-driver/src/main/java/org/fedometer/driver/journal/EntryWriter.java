package org.fedometer.driver.journal;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32C;

/**
 * Encodes entries into blocks of a journal file. Entries are kept small since each object costs
 * one: numbers are differences to earlier ones, as varints. Not thread-safe.
 */
final class EntryWriter {

  private final ByteArrayOutputStream entries = new ByteArrayOutputStream(256);
  private final CRC32C check = new CRC32C();
  private final EntryContext context = new EntryContext();

  /**
   * @param fileHead first bytes of the file, which the checksums cover
   */
  EntryWriter(byte[] fileHead) {
    check.update(fileHead);
  }

  void begun(long index) {
    indexed(EntryKind.BEGUN, index - context.expectedBegun);
    context.expectedBegun = index + 1;
  }

  /**
   * @param startMicros since 1970
   */
  void acknowledged(Acknowledged object, long startMicros) {
    boolean adds = object.additions() + object.failedAdditions() > 0;
    indexed(
        adds ? EntryKind.ACKNOWLEDGED_WITH_ADDITIONS : EntryKind.ACKNOWLEDGED,
        object.index() - context.lastSettled);
    context.lastSettled = object.index();
    zigzag(startMicros - context.lastStartMicros);
    context.lastStartMicros = startMicros;
    varint(object.durationNanos() / 1000);
    varint(object.triples());
    varint(object.contentBytes());
    if (adds) {
      varint(object.additions());
      varint(object.failedAdditions());
    }
  }

  void failed(long index) {
    indexed(EntryKind.FAILED, index - context.lastSettled);
    context.lastSettled = index;
  }

  void withdrawn(long index, long triples, long contentBytes, long additions) {
    indexed(
        additions == 0 ? EntryKind.WITHDRAWN : EntryKind.WITHDRAWN_WITH_ADDITIONS,
        index - context.lastSettled);
    context.lastSettled = index;
    varint(triples);
    varint(contentBytes);
    if (additions != 0) {
      varint(additions);
    }
  }

  void confirmed(long index) {
    indexed(EntryKind.CONFIRMED, index - context.lastSettled);
    context.lastSettled = index;
  }

  void unconfirmed(long index) {
    indexed(EntryKind.UNCONFIRMED, index - context.lastSettled);
    context.lastSettled = index;
  }

  /** Adds an entry without an index. */
  void event(EntryKind kind) {
    varint(kind.code());
  }

  void checkpoint(JournalState state) {
    varint(EntryKind.CHECKPOINT.code());
    varint(state.stride().step());
    varint(state.stride().first());
    varint(state.nextIndex());
    varint(state.totals().triples());
    varint(state.totals().contentBytes());
    varint(state.totals().additions());
    varint(state.totals().failedAdditions());
    ranges(state.acknowledged());
    ranges(state.pending());
    ranges(state.failed());
    ranges(state.acknowledgedSinceFlush());
    ranges(state.flushing());
    ranges(state.unconfirmed());
  }

  private void ranges(IndexRanges ranges) {
    varint(ranges.rangeCount());
    long[] before = {0};
    ranges.forEachRange(
        (first, end) -> {
          varint(first - before[0]);
          varint(end - first);
          before[0] = end;
        });
  }

  /**
   * Returns the next block of the file (length, entries and checksum), and clears this writer's
   * entries.
   */
  byte[] drainBlock() {
    byte[] payload = entries.toByteArray();
    entries.reset();
    varint(payload.length);
    entries.writeBytes(payload);
    byte[] covered = entries.toByteArray();
    check.update(covered);
    long sum = check.getValue();
    for (int shift = 24; shift >= 0; shift -= 8) {
      entries.write((int) (sum >>> shift));
    }
    byte[] block = entries.toByteArray();
    entries.reset();
    return block;
  }

  private void indexed(EntryKind kind, long difference) {
    varint((difference << 1 ^ difference >> 63) << EntryKind.BITS | kind.code());
  }

  private void zigzag(long value) {
    varint(value << 1 ^ value >> 63);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      entries.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    entries.write((int) rest);
  }
}
