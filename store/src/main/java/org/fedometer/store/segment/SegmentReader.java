package org.fedometer.store.segment;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;

/** Reads segments from front to back, one record in memory at a time. Stateless, any thread. */
public final class SegmentReader {
  private SegmentReader() {}

  /**
   * How far a segment could be read.
   *
   * @param validBytes where the last whole record ends
   * @param tornBytes what lies behind it: an append that a crash cut short, or damage
   */
  public record Extent(long validBytes, long tornBytes) {}

  /**
   * Shows the visitor every whole record up to the first that is cut short or damaged.
   *
   * @throws MalformedFrameException the file is no segment, or one of a newer version
   */
  public static Extent read(Path file, SegmentVisitor visitor) throws IOException {
    long size = Files.size(file);
    try (InputStream raw = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(new BufferedInputStream(raw, 256 * 1024))) {
      if (size < SegmentFormat.MAGIC_BYTES || in.readLong() != SegmentFormat.MAGIC) {
        throw new MalformedFrameException(
            file + " is not a segment, or one that a newer version wrote");
      }
      long valid = SegmentFormat.MAGIC_BYTES;
      byte[] record = new byte[64 * 1024];
      while (true) {
        int length = lengthOfNext(in, size - valid);
        if (length < 0) {
          return new Extent(valid, size - valid);
        }
        if (record.length < length + 4) {
          record = new byte[Math.max(length + 4, record.length * 2)];
        }
        ByteBuffer bytes = ByteBuffer.wrap(record, 0, length + 4).putInt(length);
        in.readFully(record, 4, length);
        if (!crcFits(record, length)) {
          return new Extent(valid, size - valid);
        }
        visit(bytes.limit(length), visitor);
        valid += 4 + length;
      }
    }
  }

  /** Minus one where no whole record follows. */
  private static int lengthOfNext(DataInputStream in, long remaining) throws IOException {
    if (remaining < SegmentFormat.RECORD_OVERHEAD_BYTES) {
      return -1;
    }
    int length;
    try {
      length = in.readInt();
    } catch (EOFException e) {
      return -1;
    }
    boolean possible =
        length >= SegmentFormat.RECORD_OVERHEAD_BYTES - 4
            && length <= SegmentFormat.MAX_RECORD_BYTES
            && length <= remaining - 4;
    return possible ? length : -1;
  }

  private static boolean crcFits(byte[] record, int length) {
    CRC32 crc = new CRC32();
    crc.update(record, 0, length);
    return (int) crc.getValue() == ByteBuffer.wrap(record).getInt(length);
  }

  private static void visit(ByteBuffer record, SegmentVisitor visitor) throws IOException {
    byte kind = record.get();
    int sourceIndex = record.getInt();
    switch (kind) {
      case SegmentFormat.RUN -> {
        String[] run = StandardCharsets.UTF_8.decode(record).toString().split("\n", 2);
        if (run.length < 2) {
          throw new MalformedFrameException("A segment's first record names no run");
        }
        visitor.run(run[0], run[1]);
      }
      case SegmentFormat.SOURCE -> visitor.source(SegmentSource.decode(sourceIndex, record));
      case SegmentFormat.FRAME -> visitor.frame(sourceIndex, frameOf(record));
      case SegmentFormat.DOCUMENT -> {
        if (record.remaining() < 8) {
          throw new MalformedFrameException("A document's record is too short");
        }
        long offset = record.getLong();
        visitor.document(sourceIndex, frameOf(record), offset);
      }
      default -> {
        // Of a later version; its sender knows that older readers pass over it.
      }
    }
  }

  private static Frame frameOf(ByteBuffer record) throws MalformedFrameException {
    if (record.remaining() < SegmentFormat.FRAME_HEADER_BYTES) {
      throw new MalformedFrameException("A frame's record is too short");
    }
    byte typeCode = record.get();
    long sequence = record.getLong();
    byte[] payload = new byte[record.remaining()];
    record.get(payload);
    return new Frame(typeCode, sequence, payload);
  }
}
