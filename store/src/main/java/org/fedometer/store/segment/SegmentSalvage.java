package org.fedometer.store.segment;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Recovers all intact records of a damaged segment, including those behind the damage. Leaves the
 * file unchanged. Immutable, any thread.
 */
public final class SegmentSalvage {
  private static final int VERSION_BITS = 16;

  private final Path file;
  private final long wholeBytes;
  private final List<Piece> pieces;

  private record Piece(long position, int bytes) {}

  private SegmentSalvage(Path file, long wholeBytes, List<Piece> pieces) {
    this.file = file;
    this.wholeBytes = wholeBytes;
    this.pieces = pieces;
  }

  /**
   * @param validBytes readable extent of the file, by {@link SegmentReader}; 0 if even its start is
   *     unreadable
   */
  public static SegmentSalvage of(Path file, long validBytes) throws IOException {
    long wholeBytes = Math.max(validBytes, SegmentFormat.MAGIC_BYTES);
    return new SegmentSalvage(file, wholeBytes, recordsFrom(file, wholeBytes));
  }

  /** Returns whether a file starts like a segment of a later version of Fedometer. */
  public static boolean isOfNewerVersion(Path file) throws IOException {
    if (Files.size(file) < SegmentFormat.MAGIC_BYTES) {
      return false;
    }
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      long begin = in.readLong();
      return begin != SegmentFormat.MAGIC
          && begin >>> VERSION_BITS == SegmentFormat.MAGIC >>> VERSION_BITS;
    }
  }

  /** Returns the number of intact records behind the readable extent. */
  public int records() {
    return pieces.size();
  }

  /** Returns whether nothing can be recovered, not even before the damage. */
  public boolean isNothing() {
    return pieces.isEmpty() && wholeBytes <= SegmentFormat.MAGIC_BYTES;
  }

  /** Writes and syncs a segment of all intact records; returns its size in bytes. */
  public long writeTo(Path target) throws IOException {
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel to =
            PrivateFiles.open(
                target,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      to.write(ByteBuffer.allocate(SegmentFormat.MAGIC_BYTES).putLong(SegmentFormat.MAGIC).flip());
      copy(from, SegmentFormat.MAGIC_BYTES, wholeBytes - SegmentFormat.MAGIC_BYTES, to);
      for (Piece piece : pieces) {
        copy(from, piece.position(), piece.bytes(), to);
      }
      to.force(true);
      return to.position();
    }
  }

  private static void copy(FileChannel from, long position, long bytes, FileChannel to)
      throws IOException {
    long copied = 0;
    while (copied < bytes) {
      long more = from.transferTo(position + copied, bytes - copied, to);
      if (more == 0) {
        throw new EOFException("The segment has become shorter while it was copied");
      }
      copied += more;
    }
  }

  /**
   * Finds intact records after a position without one. Tries every byte, since a length may be
   * damaged. A candidate counts only if it continues those before: its source is known, and its
   * sequence is higher.
   */
  private static List<Piece> recordsFrom(Path file, long start) throws IOException {
    Map<Integer, Long> newest = new HashMap<>();
    List<Piece> pieces = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      RangeCrc crc = new RangeCrc(bytes);
      int position = SegmentFormat.MAGIC_BYTES;
      while (position <= bytes.limit() - SegmentFormat.RECORD_OVERHEAD_BYTES) {
        int size = sizeOfRecordAt(bytes, position, crc);
        if (size < 0) {
          position++;
        } else {
          if (goesOn(bytes, position, size, newest) && position >= start) {
            pieces.add(new Piece(position, size));
          }
          position += size;
        }
      }
    }
    return pieces;
  }

  /** Tracks the newest sequence of each introduced source. */
  private static boolean goesOn(
      ByteBuffer bytes, int position, int size, Map<Integer, Long> newest) {
    byte kind = bytes.get(position + SegmentFormat.KIND_AT);
    int source = bytes.getInt(position + SegmentFormat.SOURCE_AT);
    if (kind == SegmentFormat.SOURCE) {
      newest.putIfAbsent(source, 0L);
      return true;
    }
    if (kind == SegmentFormat.RUN) {
      return true;
    }
    int frameAt =
        position
            + SegmentFormat.RECORD_HEADER_BYTES
            + (kind == SegmentFormat.DOCUMENT ? SegmentFormat.DOCUMENT_OFFSET_BYTES : 0);
    Long before = newest.get(source);
    if (before == null || frameAt + SegmentFormat.FRAME_HEADER_BYTES > position + size) {
      return false;
    }
    long sequence = bytes.getLong(frameAt + SegmentFormat.SEQUENCE_AT);
    if (sequence > 0) {
      newest.merge(source, sequence, Math::max);
    }
    return sequence == 0 || sequence > before;
  }

  /**
   * Returns minus one if no intact record starts here. Uses the range CRC, since each byte of
   * content may look like the start of a large record.
   */
  private static int sizeOfRecordAt(ByteBuffer bytes, int position, RangeCrc crc) {
    int length = bytes.getInt(position);
    byte kind = bytes.get(position + SegmentFormat.KIND_AT);
    if (kind < SegmentFormat.RUN
        || kind > SegmentFormat.DOCUMENT
        || !SegmentFormat.isPossible(length, bytes.limit() - position)) {
      return -1;
    }
    return crc.of(position, length) == bytes.getInt(position + length) ? 4 + length : -1;
  }
}
