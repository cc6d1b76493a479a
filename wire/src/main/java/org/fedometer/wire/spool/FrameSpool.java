package org.fedometer.wire.spool;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Hello;

/**
 * Frames of one source on disk, in the order of their sequences, until the collector has them. Used
 * by a client's spool thread alone; {@link #bytes()} by any.
 *
 * <p>A file is {@code <source's UUID>-<sequence of its first frame>.spool}, a {@link SpoolFile}.
 * Nothing is synced: a file survives its process, not its host. Whose the files are says a {@link
 * SpoolLock}.
 *
 * <p>{@code <UUID>.names}, of the same shape, holds dictionaries older than the other frames: those
 * that a collector has acknowledged, for another one.
 */
public final class FrameSpool implements Closeable {
  static final String SUFFIX = ".spool";

  private static final String NAMES_SUFFIX = ".names";
  private static final String UNREADABLE_SUFFIX = ".unreadable";
  private static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

  private final Path folder;
  private final UUID source;
  private final long fileBytes;
  private final SpoolLock lock;

  /** Linked: an ArrayDeque that finds no memory to grow in is empty afterwards. */
  private final LinkedList<Segment> segments = new LinkedList<>();

  private RandomAccessFile writing;
  private DataInputStream reading;
  private Segment readingFrom;
  private volatile long bytes;
  private long namesBytes;

  /** Of a spool that another process left. */
  private final List<Frame> names = new ArrayList<>();

  // Of a spool that another process left, from the newest of its files that can be read.
  private SpoolFile.Head head;

  /** A file, with what is good of it. */
  private static final class Segment {
    final Path file;
    final long firstSequence;
    long lastSequence;
    long bytes;

    Segment(Path file, long firstSequence) {
      this.file = file;
      this.firstSequence = firstSequence;
      this.lastSequence = firstSequence - 1;
    }
  }

  /** Frames that were on disk cannot be read any more. */
  public static final class LostFramesException extends IOException {
    private static final long serialVersionUID = 1L;
    private final long lastSequence;

    LostFramesException(String message, long lastSequence, IOException cause) {
      super(message, cause);
      this.lastSequence = lastSequence;
    }

    /** The last one that is lost; those behind it can be asked for. */
    public long lastSequence() {
      return lastSequence;
    }
  }

  /**
   * A spool without files; the first frame makes one.
   *
   * @param maxBytes what all files will have at most, which decides how long one of them gets
   */
  public FrameSpool(Path folder, UUID source, long maxBytes) {
    this.folder = folder.toAbsolutePath().normalize();
    this.source = source;
    this.fileBytes = Math.min(MAX_FILE_BYTES, maxBytes / 4);
    this.lock = new SpoolLock(this.folder, source);
  }

  /** What the files have on disk. */
  public long bytes() {
    return bytes;
  }

  /** Whether there is no file of frames; one of dictionaries alone does not count. */
  public boolean isEmpty() {
    return segments.isEmpty();
  }

  /** The first frame there may be. */
  public long firstSequence() {
    return segments.isEmpty() ? 0 : segments.getFirst().firstSequence;
  }

  /** The last frame there is, 0 if none. */
  public long lastSequence() {
    return segments.isEmpty() ? 0 : segments.getLast().lastSequence;
  }

  /** Whether a file can be deleted once all up to the sequence is acknowledged. */
  public boolean canRelease(long acknowledged) {
    return !segments.isEmpty() && segments.getFirst().lastSequence <= acknowledged;
  }

  // ---- writing ----

  /** How much the files would have with one frame more; at most, as it may need a new file. */
  public long bytesWith(Frame frame, Hello introduction) {
    return bytes
        + frame.sizeBytes()
        + (writing == null || isFull(segments.getLast()) ? SpoolFile.headBytes(introduction) : 0);
  }

  /**
   * Appends a frame whose sequence is above all that there are; the system has it afterwards.
   *
   * @param introduction for the head of a file, should it need one
   * @throws IOException one sentence; the frame is not there
   */
  public void append(Frame frame, Hello introduction) throws IOException {
    // First: where memory runs out, no file is begun for it. As one: a frame of some bytes shall
    // not take four calls of the system.
    byte[] encoded = frame.toBytes();
    if (writing != null && (isFull(segments.getLast()) || isMissing(segments.getLast()))) {
      endFile();
    }
    if (writing == null) {
      beginFile(frame.sequence(), introduction);
    }
    Segment segment = segments.getLast();
    boolean written = false;
    try {
      writing.write(encoded);
      written = true;
    } finally {
      if (!written) {
        // Also where memory ran out while the disk's refusal was told.
        truncateTail(segment);
      }
    }
    segment.lastSequence = frame.sequence();
    grow(segment, frame.sizeBytes());
  }

  private void beginFile(long firstSequence, Hello introduction) throws IOException {
    prepareFolder();
    Segment segment =
        new Segment(
            folder.resolve(String.format(Locale.ROOT, "%s-%020d%s", source, firstSequence, SUFFIX)),
            firstSequence);
    segments.addLast(segment);
    boolean begun = false;
    try {
      PrivateFiles.createFile(segment.file);
      writing = new RandomAccessFile(segment.file.toFile(), "rw");
      writing.setLength(0);
      byte[] head = SpoolFile.head(introduction);
      writing.write(head);
      grow(segment, head.length);
      begun = true;
    } finally {
      if (!begun) {
        // Also where memory ran out: nobody could read frames behind no head.
        truncateTail(segment);
      }
    }
  }

  private void prepareFolder() throws IOException {
    PrivateFiles.createFoldersUnsynced(folder);
    if (!lock.isHeld() && !lock.tryLock()) {
      throw new IOException("the spool files of " + source + " belong to another process");
    }
  }

  /**
   * Writes dictionaries that some collector has, in place of those of before. They go when the last
   * of the frames goes.
   *
   * @param dictionaries in the order of their sequences
   * @param introduction for the head of the file; that of an ended process keeps its own
   */
  public void saveNames(List<Frame> dictionaries, Hello introduction) throws IOException {
    if (dictionaries.isEmpty()) {
      return;
    }
    prepareFolder();
    try {
      SpoolFile.write(namesPath(), head == null ? introduction : head.hello, dictionaries);
    } finally {
      countNames();
    }
  }

  /** Whether there is a file of dictionaries that some collector has. */
  public boolean hasNames() {
    return namesBytes > 0;
  }

  private void countNames() {
    bytes -= namesBytes;
    namesBytes = namesPath().toFile().length();
    bytes += namesBytes;
  }

  private void grow(Segment segment, long more) {
    segment.bytes += more;
    bytes += more;
  }

  /**
   * Cuts off what came of a frame or a head that could not be written, and goes on in another file.
   */
  private void truncateTail(Segment segment) {
    boolean hasFrames = segment.lastSequence >= segment.firstSequence;
    if (!hasFrames) {
      segments.removeLast();
    }
    try {
      if (writing != null) {
        writing.setLength(segment.bytes);
      }
    } catch (IOException e) {
      // A frame that is cut short says so to who reads it.
    }
    endFile();
    if (!hasFrames) {
      delete(segment);
    }
  }

  private boolean isFull(Segment segment) {
    return segment.bytes >= fileBytes;
  }

  private void endFile() {
    closeQuietly(writing);
    writing = null;
  }

  /** Known not to be there; one in a folder that may not be looked into may well be. */
  private static boolean isMissing(Segment segment) {
    return Files.notExists(segment.file);
  }

  /** Does not count files any more that somebody has deleted. Their frames are lost. */
  public void forgetMissing() {
    for (Segment segment : segments) {
      if (isMissing(segment)) {
        bytes -= segment.bytes;
        segment.bytes = 0;
      }
    }
  }

  // ---- reading ----

  /**
   * The first frame behind the sequence.
   *
   * @param after less than {@link #lastSequence()}
   * @throws LostFramesException it and perhaps others are lost
   * @throws IOException its file is there, but cannot be opened now; nothing is lost
   */
  public Frame readAfter(long after) throws IOException {
    Segment segment = segmentWith(after + 1);
    boolean isRead = false;
    try {
      if (segment != readingFrom) {
        open(segment);
      }
      while (true) {
        Frame frame = SpoolFile.readFrame(reading);
        if (frame.sequence() > after && frame.sequence() <= segment.lastSequence) {
          isRead = true;
          return frame;
        }
        if (frame.sequence() > segment.lastSequence) {
          throw new MalformedFrameException(
              "It has frame " + frame.sequence() + " where others should be");
        }
      }
    } catch (FileNotFoundException e) {
      // For want of a handle or of a permission, too.
      throw isMissing(segment) ? lostAfter(after, segment, e) : e;
    } catch (IOException e) {
      throw lostAfter(after, segment, e);
    } finally {
      if (!isRead) {
        // Also where memory ran out in the middle of a frame: the next call begins at the head.
        stopReading();
      }
    }
  }

  private static LostFramesException lostAfter(long after, Segment segment, IOException cause) {
    return new LostFramesException(
        "frames "
            + (after + 1)
            + " to "
            + segment.lastSequence
            + " are lost, for "
            + segment.file
            + " cannot be read: "
            + describe(cause),
        segment.lastSequence,
        cause);
  }

  private Segment segmentWith(long sequence) {
    for (Segment segment : segments) {
      if (segment.lastSequence >= sequence) {
        return segment;
      }
    }
    throw new IllegalArgumentException("There is no frame " + sequence + " in the spool");
  }

  /** Also after a connection anew: what was read is in memory until it is acknowledged. */
  private void open(Segment segment) throws IOException {
    stopReading();
    reading = SpoolFile.open(segment.file);
    readingFrom = segment;
    SpoolFile.readHead(reading);
  }

  private void stopReading() {
    closeQuietly(reading);
    reading = null;
    readingFrom = null;
  }

  // ---- letting go ----

  /** Deletes the files of which all frames are acknowledged. */
  public void release(long acknowledged) {
    while (canRelease(acknowledged)) {
      Segment segment = segments.removeFirst();
      if (segments.isEmpty() && writing != null) {
        endFile();
      }
      if (segment == readingFrom) {
        stopReading();
      }
      delete(segment);
    }
  }

  private void delete(Segment segment) {
    bytes -= segment.bytes;
    // One that stays is acknowledged to whoever finds it.
    segment.file.toFile().delete();
  }

  /** Closes the files. What is in them stays for another client of the folder. */
  @Override
  public void close() {
    try {
      stopReading();
      endFile();
      if (lock.isHeld() && segments.isEmpty()) {
        namesPath().toFile().delete();
        countNames();
        lock.deleteFile();
      }
    } finally {
      // Else no other client had the files before this process ends.
      lock.release();
    }
  }

  private Path namesPath() {
    return folder.resolve(source + NAMES_SUFFIX);
  }

  // ---- what other processes left ----

  /**
   * Takes over what another process left of this source, if that process is over.
   *
   * @param files by their first frames
   * @param quarantined told of each file that does not begin as it should
   * @return false if it lives
   * @throws IOException something cannot be read that may well be whole; {@link #releaseLock} it
   *     then
   */
  boolean takeOver(TreeMap<Long, Path> files, List<String> quarantined) throws IOException {
    if (!lock.tryLock()) {
      return false;
    }
    find(files, quarantined);
    return true;
  }

  /** Gives the lock back and leaves everything as it is. */
  void releaseLock() {
    lock.release();
  }

  /** When the newest file was begun, of a spool that was taken over. */
  long begunEpochMillis() {
    return head.epochMillis;
  }

  private void find(TreeMap<Long, Path> files, List<String> quarantined) throws IOException {
    for (Map.Entry<Long, Path> file : files.entrySet()) {
      Segment segment = new Segment(file.getValue(), file.getKey());
      Long next = files.higherKey(file.getKey());
      if (readHello(segment, next == null, quarantined)) {
        if (next != null) {
          segment.lastSequence = next - 1;
        }
        segment.bytes = segment.file.toFile().length();
        bytes += segment.bytes;
        segments.addLast(segment);
      }
    }
    // Nothing whole in the newest file: it says nothing of how far the frames go.
    Iterator<Segment> newest = segments.descendingIterator();
    while (newest.hasNext()) {
      Segment segment = newest.next();
      if (segment.lastSequence >= segment.firstSequence) {
        break;
      }
      newest.remove();
      delete(segment);
    }
    findNames();
  }

  /** Those that are in no other file, as far as they are whole. */
  private void findNames() throws IOException {
    if (!namesPath().toFile().exists()) {
      return;
    }
    countNames();
    try (DataInputStream in = SpoolFile.open(namesPath())) {
      if (!SpoolFile.readHead(in).hello.source().equals(source)) {
        return;
      }
      while (true) {
        Frame dictionary = SpoolFile.readFrame(in);
        if (dictionary.sequence() < firstSequence()) {
          names.add(dictionary);
        }
      }
    } catch (EOFException | MalformedFrameException end) {
      // Of the file, or of what is whole in it.
    }
  }

  /** Dictionaries older than all frames, which some collector has; in order. */
  public List<Frame> names() {
    return names;
  }

  /**
   * Whether the file is there and begins as it should. Of the last one also learns how far it is
   * whole.
   *
   * @throws IOException it may well be whole, but cannot be read now
   */
  private boolean readHello(Segment segment, boolean isLast, List<String> quarantined)
      throws IOException {
    if (isMissing(segment)) {
      return false;
    }
    try (DataInputStream in = SpoolFile.open(segment.file)) {
      SpoolFile.Head read = SpoolFile.readHead(in);
      if (!read.hello.source().equals(source)) {
        throw new MalformedFrameException("It is another source's");
      }
      head = read;
      try {
        while (isLast) {
          segment.lastSequence = Math.max(segment.lastSequence, SpoolFile.readFrame(in).sequence());
        }
      } catch (EOFException | MalformedFrameException end) {
        // Of the file, or of what is whole in it.
      }
      return true;
    } catch (EOFException | MalformedFrameException e) {
      Path aside = Paths.get(segment.file + UNREADABLE_SUFFIX);
      Files.move(segment.file, aside, StandardCopyOption.REPLACE_EXISTING);
      quarantined.add("what was in " + aside + " is not sent on: " + describe(e));
      return false;
    }
  }

  /**
   * How the source would introduce itself now, if its process still lived.
   *
   * @param present what a client of this process says: its token counts, and its boot
   */
  public Hello helloLike(Hello present, long firstAvailableSequence) {
    Hello hello = head.hello;
    String boot = hello.attributes().getOrDefault(Hello.BOOT_ID, "");
    boolean sameBoot = !boot.isEmpty() && boot.equals(present.attributes().get(Hello.BOOT_ID));
    long nanos =
        sameBoot
            ? present.nanos()
            : hello.nanos() + (System.currentTimeMillis() - head.epochMillis) * 1_000_000;
    return Hello.builder(hello.source(), hello.sourceKind())
        .protocolVersions(present.minProtocolVersion(), present.maxProtocolVersion())
        .firstAvailableSequence(firstAvailableSequence)
        .sourceName(hello.sourceName())
        .runId(hello.runId())
        .runName(hello.runName())
        .token(present.token())
        .attributes(hello.attributes())
        .nanos(nanos)
        .build();
  }

  public UUID source() {
    return source;
  }

  /** What has failed, for the end of a sentence. */
  public static String describe(IOException failure) {
    return failure instanceof EOFException ? "it ends inside a frame" : FailureText.of(failure);
  }

  private static void closeQuietly(Closeable open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Nothing is buffered here: what was written is the system's.
      }
    }
  }
}
