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
 * Frames of one source on disk, in sequence order, until the collector has them. Used by a client's
 * spool thread alone, except {@link #bytes()}.
 *
 * <p>A file is {@code <source's UUID>-<sequence of its first frame>.spool}, a {@link SpoolFile}.
 * Nothing is synced: a file survives its process, not its host. A {@link SpoolLock} marks the owner
 * of the files.
 *
 * <p>{@code <UUID>.names}, of the same format, holds older dictionaries than the other frames. A
 * collector has acknowledged them; another one may need them.
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

  /** Linked: an ArrayDeque that fails to grow for lack of memory is empty afterwards. */
  private final LinkedList<Segment> segments = new LinkedList<>();

  private RandomAccessFile writing;
  private DataInputStream reading;
  private Segment readingFrom;
  private volatile long bytes;
  private long namesBytes;

  /** Dictionaries of a spool that another process left. */
  private final List<Frame> names = new ArrayList<>();

  // Head of a spool that another process left, from the newest of its readable files.
  private SpoolFile.Head head;

  /** A file and the extent of its valid frames. */
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

  /** Thrown if frames on disk have become unreadable. */
  public static final class LostFramesException extends IOException {
    private static final long serialVersionUID = 1L;
    private final long lastSequence;

    LostFramesException(String message, long lastSequence, IOException cause) {
      super(message, cause);
      this.lastSequence = lastSequence;
    }

    /** Returns the last lost frame; those behind it can be read. */
    public long lastSequence() {
      return lastSequence;
    }
  }

  /**
   * Creates a spool without files; the first frame creates one.
   *
   * @param maxBytes limit of all files, which determines the size of one
   */
  public FrameSpool(Path folder, UUID source, long maxBytes) {
    this.folder = folder.toAbsolutePath().normalize();
    this.source = source;
    this.fileBytes = Math.min(MAX_FILE_BYTES, maxBytes / 4);
    this.lock = new SpoolLock(this.folder, source);
  }

  public long bytes() {
    return bytes;
  }

  /** Returns whether there is no file of frames; a dictionary file does not count. */
  public boolean isEmpty() {
    return segments.isEmpty();
  }

  /** Returns the first frame that may exist. */
  public long firstSequence() {
    return segments.isEmpty() ? 0 : segments.getFirst().firstSequence;
  }

  /** Returns the last existing frame, 0 if none. */
  public long lastSequence() {
    return segments.isEmpty() ? 0 : segments.getLast().lastSequence;
  }

  /** Returns whether a file can be deleted once all up to the sequence is acknowledged. */
  public boolean canRelease(long acknowledged) {
    return !segments.isEmpty() && segments.getFirst().lastSequence <= acknowledged;
  }

  // ---- writing ----

  /** Returns an upper bound of the files' size with one frame more, as it may need a new file. */
  public long bytesWith(Frame frame, Hello introduction) {
    return bytes
        + frame.sizeBytes()
        + (writing == null || isFull(segments.getLast()) ? SpoolFile.headBytes(introduction) : 0);
  }

  /**
   * Appends a frame whose sequence is above all others; hands it to the operating system.
   *
   * @param introduction for the head of a new file
   * @throws IOException one sentence; the frame was not written
   */
  public void append(Frame frame, Hello introduction) throws IOException {
    // Encoded first: if memory runs out, no file is created for it. In one array: a small frame
    // must not need four system calls.
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
        // Also if memory ran out while the disk error was reported.
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
        // Also if memory ran out: frames without a head would be unreadable.
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
   * Writes dictionaries that a collector has acknowledged, in place of earlier ones. They are
   * deleted with the last of the frames.
   *
   * @param dictionaries in sequence order
   * @param introduction for the head of the file; a spool of another process keeps its own
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

  /** Returns whether there is a file of acknowledged dictionaries. */
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

  /** Truncates a partly written frame or head and continues in another file. */
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
      // The reader detects a truncated frame.
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

  /** True if certainly missing; a file in an inaccessible folder may exist. */
  private static boolean isMissing(Segment segment) {
    return Files.notExists(segment.file);
  }

  /** Stops counting files that were deleted externally. Their frames are lost. */
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
   * Returns the first frame after the sequence.
   *
   * @param after less than {@link #lastSequence()}
   * @throws LostFramesException if it and perhaps others are lost
   * @throws IOException if its file exists but cannot be opened now; nothing is lost
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
              "It has frame " + frame.sequence() + " in the place of other frames");
        }
      }
    } catch (FileNotFoundException e) {
      // Also for lack of a handle or a permission.
      throw isMissing(segment) ? lostAfter(after, segment, e) : e;
    } catch (IOException e) {
      throw lostAfter(after, segment, e);
    } finally {
      if (!isRead) {
        // Also if memory ran out in the middle of a frame: the next call starts at the head.
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
            + " are lost because "
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

  /** Also after a reconnection: frames read before stay in memory until they are acknowledged. */
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

  // ---- releasing ----

  /** Deletes the files whose frames are all acknowledged. */
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
    // If deletion fails, the collector acknowledges the frames when they are forwarded.
    segment.file.toFile().delete();
  }

  /** Closes the files. Their content stays for another client of the folder. */
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
      // Otherwise no other client could use the files before this process ends.
      lock.release();
    }
  }

  private Path namesPath() {
    return folder.resolve(source + NAMES_SUFFIX);
  }

  // ---- taking over ----

  /**
   * Claims this source's files from an ended process.
   *
   * @param files by their first frames
   * @param quarantined collects a sentence for each file with an invalid head
   * @return false if the process is alive
   * @throws IOException if an intact file may be unreadable now; call {@link #releaseLock} then
   */
  boolean takeOver(TreeMap<Long, Path> files, List<String> quarantined) throws IOException {
    if (!lock.tryLock()) {
      return false;
    }
    find(files, quarantined);
    return true;
  }

  /** Releases the lock and leaves all files unchanged. */
  void releaseLock() {
    lock.release();
  }

  /** Returns when the newest file was begun; call after {@link #takeOver}. */
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
    // The newest file has no intact frame, so it does not show how far the frames extend.
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

  /** Reads intact dictionaries that are in no other file. */
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
      // End of the file, or of its intact part.
    }
  }

  /** Returns acknowledged dictionaries older than all frames, in order. */
  public List<Frame> names() {
    return names;
  }

  /**
   * Returns whether the file exists with a valid head. For the last file, also determines its
   * intact part.
   *
   * @throws IOException if it may be intact but cannot be read now
   */
  private boolean readHello(Segment segment, boolean isLast, List<String> quarantined)
      throws IOException {
    if (isMissing(segment)) {
      return false;
    }
    try (DataInputStream in = SpoolFile.open(segment.file)) {
      SpoolFile.Head read = SpoolFile.readHead(in);
      if (!read.hello.source().equals(source)) {
        throw new MalformedFrameException("It belongs to another source");
      }
      head = read;
      try {
        while (isLast) {
          segment.lastSequence = Math.max(segment.lastSequence, SpoolFile.readFrame(in).sequence());
        }
      } catch (EOFException | MalformedFrameException end) {
        // End of the file, or of its intact part.
      }
      return true;
    } catch (EOFException | MalformedFrameException e) {
      Path aside = Paths.get(segment.file + UNREADABLE_SUFFIX);
      Files.move(segment.file, aside, StandardCopyOption.REPLACE_EXISTING);
      quarantined.add("the frames in " + aside + " are not sent: " + describe(e));
      return false;
    }
  }

  /**
   * Returns the HELLO that the source would send now if its process were alive.
   *
   * @param present HELLO of a client of this process, whose token and boot apply
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

  /** Returns the failure as the end of a sentence. */
  public static String describe(IOException failure) {
    return failure instanceof EOFException ? "it ends inside a frame" : FailureText.of(failure);
  }

  private static void closeQuietly(Closeable open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Nothing is buffered here: the operating system has all written bytes.
      }
    }
  }
}
