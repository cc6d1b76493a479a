package org.fedometer.store.segment;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;

/**
 * Reads a segment record by record, one record in memory at a time, up to the first truncated or
 * damaged one. One thread.
 */
public final class SegmentCursor implements Closeable {
  private final InputStream raw;
  private final DataInputStream in;
  private final long sizeBytes;
  private long validBytes = SegmentFormat.MAGIC_BYTES;
  private boolean ended;
  private byte[] record = new byte[64 * 1024];

  private SegmentCursor(InputStream raw, DataInputStream in, long sizeBytes) {
    this.raw = raw;
    this.in = in;
    this.sizeBytes = sizeBytes;
  }

  /**
   * @throws MalformedFrameException if the file is no segment, or one of a newer version
   */
  public static SegmentCursor open(Path file) throws IOException {
    long size = Files.size(file);
    InputStream raw = Files.newInputStream(file);
    try {
      DataInputStream in = new DataInputStream(new BufferedInputStream(raw, 256 * 1024));
      if (size < SegmentFormat.MAGIC_BYTES || in.readLong() != SegmentFormat.MAGIC) {
        throw new MalformedFrameException(file + " is not a segment, or is one of a newer version");
      }
      return new SegmentCursor(raw, in, size);
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  /**
   * Passes the next intact record to the visitor. Returns false if there is none, also from then
   * on: data behind damage is not read.
   */
  public boolean next(SegmentVisitor visitor) throws IOException {
    if (ended) {
      return false;
    }
    int length = lengthOfNext();
    if (length < 0) {
      ended = true;
      return false;
    }
    if (record.length < length + 4) {
      record = new byte[Math.max(length + 4, record.length * 2)];
    }
    ByteBuffer bytes = ByteBuffer.wrap(record, 0, length + 4).putInt(length);
    in.readFully(record, 4, length);
    if (!crcFits(length)) {
      ended = true;
      return false;
    }
    visit(bytes.limit(length), visitor);
    validBytes += 4 + length;
    return true;
  }

  /** Returns the intact extent of the segment so far. */
  public SegmentReader.Extent extent() {
    return new SegmentReader.Extent(validBytes, sizeBytes - validBytes);
  }

  @Override
  public void close() throws IOException {
    raw.close();
  }

  /** Returns minus one if no intact record follows. */
  private int lengthOfNext() throws IOException {
    long remaining = sizeBytes - validBytes;
    if (remaining < SegmentFormat.RECORD_OVERHEAD_BYTES) {
      return -1;
    }
    int length = in.readInt();
    return SegmentFormat.isPossible(length, remaining) ? length : -1;
  }

  private boolean crcFits(int length) {
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
        if (record.remaining() < SegmentFormat.DOCUMENT_OFFSET_BYTES) {
          throw new MalformedFrameException("A document's record is too short");
        }
        long offset = record.getLong();
        visitor.document(sourceIndex, frameOf(record), offset);
      }
      default -> {
        // A later version's record; its sender knows that older readers skip it.
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
