package org.fedometer.store.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.fedometer.wire.Frame;
import org.fedometer.wire.disk.Durable;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Appends records to a segment: they stay in memory until {@link #commit()} writes and syncs them
 * together. After a failed commit they stay there, and the next one writes them again from the last
 * durable position. For the collector's single writer thread.
 */
public final class SegmentWriter implements Closeable {
  private static final int FIRST_BYTES = 4 * 1024;
  private static final int MAX_RETAINED_BYTES = 64 * 1024;

  private final Path file;
  private final FileChannel channel;
  private long durableBytes;
  private ByteBuffer buffered = ByteBuffer.allocate(FIRST_BYTES);
  private int recordStart;

  private SegmentWriter(Path file, FileChannel channel, long durableBytes) {
    this.file = file;
    this.channel = channel;
    this.durableBytes = durableBytes;
  }

  /**
   * Creates a self-contained segment, with all that later frames refer to. It gets its name only
   * when that is on disk.
   *
   * @param carried dictionaries of the sources, by the sources' index, with sequence 0
   */
  public static SegmentWriter create(
      Path file, String runId, String runName, List<SegmentSource> sources, List<Carried> carried)
      throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    FileChannel channel =
        PrivateFiles.open(
            aside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      SegmentWriter writer = new SegmentWriter(file, channel, 0);
      writer.buffered.putLong(SegmentFormat.MAGIC);
      writer.append(
          SegmentFormat.RUN, 0, (runId + '\n' + runName).getBytes(StandardCharsets.UTF_8));
      sources.forEach(writer::appendSource);
      carried.forEach(item -> writer.appendFrame(item.sourceIndex(), item.frame()));
      writer.commit();
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
      Durable.syncDirectory(file.getParent());
      return writer;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      Files.deleteIfExists(aside);
      throw e;
    }
  }

  /** A dictionary carried over to a new segment; the frame has sequence 0. */
  public record Carried(int sourceIndex, Frame frame) {}

  /**
   * Continues a segment after a restart.
   *
   * @param validBytes end of the last intact record; the rest is truncated
   */
  public static SegmentWriter reopen(Path file, long validBytes) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    try {
      if (channel.size() != validBytes) {
        channel.truncate(validBytes);
      }
      channel.force(true);
      return new SegmentWriter(file, channel, validBytes);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  public Path file() {
    return file;
  }

  /** Returns the size of the file after the next commit. */
  public long sizeBytes() {
    return durableBytes + buffered.position();
  }

  /** Writes a source's record, or an update of it, before the first of its frames. */
  public void appendSource(SegmentSource source) {
    append(SegmentFormat.SOURCE, source.index(), source.encode());
  }

  /** Adds a frame of any type but documents, to be durable with the next {@link #commit}. */
  public void appendFrame(int sourceIndex, Frame frame) {
    begin(
        SegmentFormat.FRAME,
        sourceIndex,
        SegmentFormat.FRAME_HEADER_BYTES + frame.payload().length);
    putFrame(frame);
    end();
  }

  /**
   * Adds a frame of a document, to be durable with the next {@link #commit}.
   *
   * @param offset start of an appended piece in the file, in bytes; 0 for a replacing one
   */
  public void appendDocument(int sourceIndex, Frame frame, long offset) {
    begin(
        SegmentFormat.DOCUMENT,
        sourceIndex,
        SegmentFormat.DOCUMENT_OFFSET_BYTES
            + SegmentFormat.FRAME_HEADER_BYTES
            + frame.payload().length);
    buffered.putLong(offset);
    putFrame(frame);
    end();
  }

  /**
   * Writes and syncs all buffered records. After a failure none of them counts as written, whatever
   * the system has accepted: call again to write all of them anew.
   */
  public void commit() throws IOException {
    if (buffered.position() == 0) {
      return;
    }
    if (channel.size() != durableBytes) {
      channel.truncate(durableBytes);
    }
    ByteBuffer all = buffered.duplicate().flip();
    long position = durableBytes;
    while (all.hasRemaining()) {
      position += channel.write(all, position);
    }
    channel.force(false);
    durableBytes = position;
    buffered.clear();
    if (buffered.capacity() > MAX_RETAINED_BYTES) {
      // Hundreds of runs may be open; a burst of each must not stay in memory.
      buffered = ByteBuffer.allocate(FIRST_BYTES);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void append(byte kind, int sourceIndex, byte[] body) {
    begin(kind, sourceIndex, body.length);
    buffered.put(body);
    end();
  }

  private void begin(byte kind, int sourceIndex, int bodyBytes) {
    ensureRoom(SegmentFormat.RECORD_OVERHEAD_BYTES + bodyBytes);
    recordStart = buffered.position();
    buffered.putInt(SegmentFormat.RECORD_OVERHEAD_BYTES - 4 + bodyBytes);
    buffered.put(kind).putInt(sourceIndex);
  }

  private void putFrame(Frame frame) {
    buffered.put(frame.typeCode()).putLong(frame.sequence()).put(frame.payload());
  }

  private void end() {
    CRC32 crc = new CRC32();
    crc.update(buffered.array(), recordStart, buffered.position() - recordStart);
    buffered.putInt((int) crc.getValue());
  }

  private void ensureRoom(int more) {
    if (buffered.remaining() < more) {
      int needed = Math.addExact(buffered.position(), more);
      int doubled = (int) Math.min(Integer.MAX_VALUE - 8L, buffered.capacity() * 2L);
      ByteBuffer larger =
          ByteBuffer.wrap(Arrays.copyOf(buffered.array(), Math.max(needed, doubled)));
      larger.position(buffered.position());
      buffered = larger;
    }
  }
}
