package org.fedometer.collector.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.fedometer.store.Durable;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a segment that a crash cut short from one that the disk has damaged, and takes out of a
 * damaged one all whole records, also those behind the damage. The damaged file is kept beside it.
 * The layout of segments is in {@code docs/store.md}. Stateless, any thread.
 */
final class SegmentMender {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentMender.class);

  private static final byte[] MAGIC = {'F', 'D', 'M', 'S', 'E', 'G', 0, 1};
  private static final int MAGIC_NAME_BYTES = 6;
  private static final byte RUN = 1;
  private static final byte SOURCE = 2;
  private static final byte FRAME = 3;
  private static final byte DOCUMENT = 4;
  private static final int OVERHEAD_BYTES = 4 + 1 + 4 + 4;
  private static final int MAX_RECORD_BYTES = 2 * 1024 * 1024 + 64;
  private static final String MENDED = ".mended";
  private static final String DAMAGED = ".damaged";

  private SegmentMender() {}

  /**
   * A segment that can be read from its beginning to {@code validBytes}.
   *
   * @param tornBytes what lies behind that: an append that a crash cut short
   * @param damaged the disk had damaged it; what could be saved is there
   */
  record Segment(Path file, long validBytes, long tornBytes, boolean damaged) {}

  /**
   * Checks a segment, and mends it where the disk has damaged it.
   *
   * @param complete nothing was being appended any more when the collector ended, so that whatever
   *     cannot be read is damage
   * @return null for a file of which nothing could be saved; it is set aside
   */
  static Segment mend(Path file, boolean complete) throws IOException {
    long valid;
    try {
      SegmentReader.Extent extent = SegmentReader.read(file, new Nobody());
      if (extent.tornBytes() == 0) {
        return new Segment(file, extent.validBytes(), 0, false);
      }
      valid = extent.validBytes();
      if (!complete && recordsFrom(file, valid).isEmpty()) {
        return new Segment(file, valid, extent.tornBytes(), false);
      }
    } catch (MalformedFrameException e) {
      if (isOfNewerVersion(file)) {
        LOG.error("{}; it is kept as {}", e.getMessage(), setAside(file));
        return null;
      }
      valid = MAGIC.length;
    }
    return takeOut(file, valid);
  }

  /** Counts the frames of each source that a segment holds itself. */
  static Map<UUID, Long> framesIn(Path file) throws IOException {
    Counting counting = new Counting();
    SegmentReader.read(file, counting);
    return counting.frames;
  }

  /** Ends what a crash interrupted while a segment was being mended. */
  static void finishInterrupted(Path directory) throws IOException {
    try (var entries = Files.newDirectoryStream(directory, "*" + MENDED)) {
      for (Path mended : entries) {
        String name = mended.getFileName().toString();
        Path file = mended.resolveSibling(name.substring(0, name.length() - MENDED.length()));
        if (Files.exists(file)) {
          Files.delete(mended);
        } else {
          Files.move(mended, file, StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
  }

  private static Segment takeOut(Path file, long valid) throws IOException {
    List<Piece> pieces = recordsFrom(file, valid);
    if (pieces.isEmpty() && valid <= MAGIC.length) {
      LOG.error("{} holds nothing that can be read; it is kept as {}", file, setAside(file));
      return null;
    }
    Path mended = file.resolveSibling(file.getFileName() + MENDED);
    long size = MAGIC.length;
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                mended,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      to.write(ByteBuffer.wrap(MAGIC));
      size += copy(from, MAGIC.length, valid - MAGIC.length, to);
      for (Piece piece : pieces) {
        size += copy(from, piece.position(), piece.bytes(), to);
      }
      to.force(true);
    }
    try {
      SegmentReader.read(mended, new Nobody());
    } catch (MalformedFrameException e) {
      Files.delete(mended);
      LOG.error("{} cannot be read: {}; it is kept as {}", file, e.getMessage(), setAside(file));
      return null;
    }
    long lost = Files.size(file) - size;
    Path aside = setAside(file);
    Files.move(mended, file, StandardCopyOption.ATOMIC_MOVE);
    Durable.syncDirectory(file.getParent());
    LOG.error(
        "{} was damaged on the disk: {} bytes of it are lost, {} records behind the damage are"
            + " saved; the damaged file is kept as {}",
        file,
        lost,
        pieces.size(),
        aside);
    return new Segment(file, size, 0, true);
  }

  private static long copy(FileChannel from, long position, long bytes, FileChannel to)
      throws IOException {
    long copied = 0;
    while (copied < bytes) {
      copied += from.transferTo(position + copied, bytes - copied, to);
    }
    return bytes;
  }

  private static Path setAside(Path file) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + DAMAGED);
    for (int i = 2; Files.exists(aside); i++) {
      aside = file.resolveSibling(file.getFileName() + DAMAGED + "-" + i);
    }
    Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
    return aside;
  }

  private static boolean isOfNewerVersion(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      byte[] begin = in.readNBytes(MAGIC.length);
      return begin.length == MAGIC.length
          && Arrays.equals(begin, 0, MAGIC_NAME_BYTES, MAGIC, 0, MAGIC_NAME_BYTES)
          && !Arrays.equals(begin, MAGIC);
    }
  }

  // ---- finding records behind damage ----

  private record Piece(long position, int bytes) {}

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
      int position = MAGIC.length;
      while (position <= bytes.limit() - OVERHEAD_BYTES) {
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
    byte kind = bytes.get(position + 4);
    int source = bytes.getInt(position + 5);
    if (kind == SOURCE) {
      newest.putIfAbsent(source, 0L);
      return true;
    }
    int sequenceAt = position + 9 + (kind == DOCUMENT ? 8 : 0) + 1;
    if (kind != FRAME && kind != DOCUMENT) {
      return kind == RUN;
    }
    Long before = newest.get(source);
    if (before == null || sequenceAt + 8 > position + size) {
      return false;
    }
    long sequence = bytes.getLong(sequenceAt);
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
    if (bytes.limit() - position < OVERHEAD_BYTES) {
      return -1;
    }
    int length = bytes.getInt(position);
    byte kind = bytes.get(position + 4);
    if (kind < RUN || kind > DOCUMENT || !isPossible(length, bytes.limit() - position)) {
      return -1;
    }
    return crc.of(position, length) == bytes.getInt(position + length) ? 4 + length : -1;
  }

  private static boolean isPossible(int length, int available) {
    return length >= OVERHEAD_BYTES - 4 && length <= MAX_RECORD_BYTES && length <= available - 4;
  }

  /** Only wants to know how far a segment can be read, and that its frames have their sources. */
  private static final class Nobody implements SegmentVisitor {
    private final Set<Integer> introduced = new HashSet<>();

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {
      introduced.add(source.index());
    }

    @Override
    public void frame(int sourceIndex, Frame frame) throws MalformedFrameException {
      if (!introduced.contains(sourceIndex)) {
        throw new MalformedFrameException("A frame of a source not introduced");
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws MalformedFrameException {
      frame(sourceIndex, frame);
    }
  }

  private static final class Counting implements SegmentVisitor {
    private final Map<Integer, UUID> sources = new HashMap<>();
    private final Map<UUID, Long> frames = new HashMap<>();

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {
      sources.put(source.index(), source.hello().source());
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      if (frame.sequence() > 0) {
        frames.merge(sources.get(sourceIndex), 1L, Long::sum);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      frame(sourceIndex, frame);
    }
  }
}
