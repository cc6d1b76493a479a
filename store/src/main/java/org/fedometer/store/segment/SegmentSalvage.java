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
 * What can be saved of a segment that cannot be read to its end: all whole records, also those
 * behind the place where reading ends. The file itself stays as it is. Immutable, any thread.
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
   * @param validBytes how far the file can be read, as {@link SegmentReader} says; 0 where even its
   *     beginning cannot
   */
  public static SegmentSalvage of(Path file, long validBytes) throws IOException {
    long wholeBytes = Math.max(validBytes, SegmentFormat.MAGIC_BYTES);
    return new SegmentSalvage(file, wholeBytes, recordsFrom(file, wholeBytes));
  }

  /** Whether a file begins as a segment does that a later version of Fedometer wrote. */
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

  /** Whole records behind the place where reading ends. */
  public int records() {
    return pieces.size();
  }

  /** Whether nothing can be saved, also before that place. */
  public boolean isNothing() {
    return pieces.isEmpty() && wholeBytes <= SegmentFormat.MAGIC_BYTES;
  }

  /** Writes a segment of all that is whole, and puts it on disk; returns its size in bytes. */
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
   * Whole records from a place that holds none. Every byte is tried, since the damage may have hit
   * a length; what looks like a record counts only where it goes on from those before: its source
   * has been introduced, and its sequence is a higher one.
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

  /** Remembers the newest sequence of each source that records have introduced. */
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
   * Minus one where no whole record begins. Content may look like the beginning of a large record
   * at each of its bytes.
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
