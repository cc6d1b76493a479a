package org.fedometer.driver.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.wire.disk.Durable;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * The write-ahead log of an ingest. Before an object is sent, its entry is passed to the operating
 * system. After {@code kill -9} of the driver, the objects that Fedora may hold are therefore
 * known. After a loss of power, the last seconds may be missing; a resumed driver then finds
 * existing objects and must compare them.
 *
 * <p>Thread-safe. On disk, it is a folder of at most two files. Each begins with the complete state
 * and continues with later entries. A file that has grown by {@value #FILE_BYTES} bytes is followed
 * by the next.
 */
public final class Journal implements Closeable {

  static final long FILE_BYTES = 8L << 20;

  private final Path folder;
  private final JournalFiles files;
  private final JournalLock folderLock;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock flushLock = new ReentrantLock();
  private final JournalState state;
  private final long epochOffsetNanos;
  private final long fileBytes;
  private long fileNumber;
  private FileChannel file;
  private long written;
  private EntryWriter entries;
  private boolean changed;

  /** True if a write has failed: later blocks could not be read. */
  private boolean torn;

  /** Set by the owner's close; an interrupt of a writing thread closes the file only. */
  private boolean closed;

  /** Position after the checkpoint that begins the file. */
  private long checkpointEnd;

  private long allUnconfirmedCount;

  /** Null for a new ingest. */
  private final Earlier earlier;

  private final ClockStep clock;

  /** Time of an earlier driver's last write, until this one writes. */
  private FileTime keptModifiedTime;

  /** State that earlier drivers of the same ingest have left. */
  private record Earlier(FirstDriver first, long lastFile, FileTime lastWritten) {}

  private Journal(
      Path folder, JournalLock folderLock, JournalState state, long fileBytes, Earlier earlier)
      throws IOException {
    this.folder = folder;
    this.files = new JournalFiles(folder);
    this.folderLock = folderLock;
    this.state = state;
    this.fileBytes = fileBytes;
    this.earlier = earlier;
    this.clock = earlier == null ? ClockStep.sinceNow() : earlier.first().clock();
    this.fileNumber = earlier == null ? 0 : earlier.lastFile();
    this.keptModifiedTime = earlier == null ? null : earlier.lastWritten();
    this.epochOffsetNanos = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
    if (folder != null) {
      nextFile();
    }
  }

  /** Creates a journal without files, for an ingest that cannot be resumed. */
  public static Journal inMemory(long firstIndex) {
    try {
      return new Journal(null, null, new JournalState(firstIndex, Stride.ALL), FILE_BYTES, null);
    } catch (IOException e) {
      throw new IllegalStateException("no file, no failure", e);
    }
  }

  /**
   * Creates a journal in a folder, which is created if missing and must not hold one yet.
   *
   * @throws IOException if it holds one, is in use, or cannot be written
   */
  public static Journal create(Path folder, long firstIndex) throws IOException {
    return create(folder, firstIndex, Stride.ALL);
  }

  /** Creates a journal like {@link #create(Path, long)}, for the indices of a stride. */
  public static Journal create(Path folder, long firstIndex, Stride stride) throws IOException {
    return create(folder, firstIndex, stride, FILE_BYTES);
  }

  static Journal create(Path folder, long firstIndex, Stride stride, long fileBytes)
      throws IOException {
    PrivateFiles.createFolders(folder);
    JournalLock folderLock = JournalLock.acquire(folder);
    boolean opened = false;
    try {
      if (isIn(folder)) {
        throw new IOException(
            "There is already a journal in "
                + folder
                + ": resume the run with --resume, give the new run another name, or delete the"
                + " old one with 'fedometer runs rm'.");
      }
      Journal journal =
          new Journal(folder, folderLock, new JournalState(firstIndex, stride), fileBytes, null);
      opened = true;
      return journal;
    } finally {
      if (!opened) {
        folderLock.close();
      }
    }
  }

  /**
   * Opens the journal of an ingest that ended early, to continue it.
   *
   * @throws IOException if there is none, its driver still runs, or it is unusable
   */
  public static Journal resume(Path folder, FirstDriver first) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException("There is no journal in " + folder + ".");
    }
    JournalLock folderLock = JournalLock.acquire(folder);
    boolean opened = false;
    try {
      JournalFiles files = new JournalFiles(folder);
      Path last = files.last();
      Earlier earlier =
          new Earlier(first, JournalFiles.number(last), Files.getLastModifiedTime(last));
      Journal journal = new Journal(folder, folderLock, files.read(), FILE_BYTES, earlier);
      opened = true;
      return journal;
    } finally {
      if (!opened) {
        folderLock.close();
      }
    }
  }

  /**
   * Returns the state of a journal without opening it; its driver may be running.
   *
   * @throws IOException if there is none, or it is unusable
   */
  public static JournalState read(Path folder) throws IOException {
    return new JournalFiles(folder).read();
  }

  /** Returns whether a folder has a journal, complete or not. */
  public static boolean isIn(Path folder) throws IOException {
    return !new JournalFiles(folder).isEmpty();
  }

  /**
   * Returns whether no object was sent according to a journal; true if there is none.
   *
   * @throws IOException if it cannot be read
   */
  public static boolean isWithoutObjects(Path folder) throws IOException {
    return new JournalFiles(folder).isWithoutObjects();
  }

  /**
   * Returns when a driver last wrote an entry, by the clock of this host's files. Opening alone
   * does not count.
   */
  public static long lastWrittenEpochMillis(Path folder) throws IOException {
    return new JournalFiles(folder).lastWrittenEpochMillis();
  }

  /**
   * Deletes a journal, complete or not, and its folder if that is then empty.
   *
   * @throws JournalInUseException if its driver still runs
   * @throws IOException if it cannot be deleted
   */
  public static void delete(Path folder) throws IOException {
    try (JournalLock ignored = JournalLock.acquire(folder)) {
      new JournalFiles(folder).delete();
    }
  }

  /**
   * @throws JournalInUseException while a driver has the journal, complete or not
   */
  public static void requireNotInUse(Path folder) throws IOException {
    JournalLock.acquire(folder).close();
  }

  /**
   * Records that an object is about to be sent. Returns once the operating system has the entry.
   */
  public void begun(long index) throws IOException {
    lock.lock();
    try {
      state.begun(index);
      if (file != null) {
        entries.begun(index);
        write();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that Fedora holds an object. Written with the next entry, at the latest by {@link
   * #tick}.
   */
  public void acknowledged(Acknowledged object) throws IOException {
    lock.lock();
    try {
      state.acknowledged(object);
      if (file != null) {
        entries.acknowledged(object, (object.startNanos() + epochOffsetNanos) / 1000);
        changed = true;
      }
    } finally {
      lock.unlock();
    }
  }

  public void failed(long index) throws IOException {
    change(() -> state.failed(index), () -> entries.failed(index));
  }

  /**
   * Records that an acknowledged object is about to be purged and ingested again.
   *
   * @param triples its triples, including those it added to others
   * @param additions statements that it has added to others, and will add again
   */
  public void withdrawn(long index, long triples, long contentBytes, long additions)
      throws IOException {
    change(
        () -> state.withdrawn(index, triples, contentBytes, additions),
        () -> entries.withdrawn(index, triples, contentBytes, additions));
  }

  /** Records that an acknowledged object may have lost a part of itself. */
  public void unconfirmed(long index) throws IOException {
    change(() -> state.unconfirmed(index), () -> entries.unconfirmed(index));
  }

  /** Records that an unconfirmed object is complete. */
  public void confirmed(long index) throws IOException {
    change(() -> state.confirmed(index), () -> entries.confirmed(index));
  }

  /**
   * Returns the lock to hold from {@link #flushBegun} to the flush's outcome, so that the entries
   * show what each flush covers. Wait for it interruptibly: a flush may take long.
   */
  public ReentrantLock flushLock() {
    return flushLock;
  }

  /** Records that Fedora is about to flush everything acknowledged so far. */
  public void flushBegun() throws IOException {
    change(state::flushBegun, () -> entries.event(EntryKind.FLUSH_BEGUN));
  }

  /** Records that Fedora has flushed everything acknowledged before {@link #flushBegun}. */
  public void flushConfirmed() throws IOException {
    change(state::flushConfirmed, () -> entries.event(EntryKind.FLUSH_CONFIRMED));
  }

  /** Records that Fedora could not flush, so that the objects of the flush may be lost. */
  public void flushFailed() throws IOException {
    change(state::flushFailed, () -> entries.event(EntryKind.FLUSH_FAILED));
  }

  /** Records that Fedora was away, so that unflushed objects may be lost. */
  public void allUnconfirmed() throws IOException {
    change(
        () -> {
          state.allUnconfirmed();
          allUnconfirmedCount++;
        },
        () -> entries.event(EntryKind.ALL_UNCONFIRMED));
  }

  /**
   * Returns how often this driver marked all objects unconfirmed. A change between sending an
   * object and its acknowledgement here means that the Fedora which accepted it may be gone.
   */
  public long allUnconfirmedCount() {
    lock.lock();
    try {
      return allUnconfirmedCount;
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable stateChange, Runnable fileChange) throws IOException {
    lock.lock();
    try {
      stateChange.run();
      if (file != null) {
        fileChange.run();
        write();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes pending entries; called about twice a second. */
  public void tick() throws IOException {
    lock.lock();
    try {
      if (changed) {
        write();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns a copy of the current state. */
  public JournalState state() {
    lock.lock();
    try {
      return state.copy();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when the first driver of a resumed ingest began; null for a new one. */
  public Instant resumedSince() {
    return earlier == null ? null : earlier.first().began();
  }

  /** Returns how far this host's wall clock was set back since the first driver began. */
  public Duration clockSetBack() {
    return clock.maxSetBack();
  }

  /**
   * Returns when the previous driver last wrote, by the clock of this host's files; null for a new
   * ingest.
   */
  public Instant lastWrittenBefore() {
    return earlier == null ? null : earlier.lastWritten().toInstant();
  }

  /** Returns the folder; null for a journal in memory. */
  public Path folder() {
    return folder;
  }

  /** Returns the bytes that this object has written to the journal's files. */
  public long bytesWritten() {
    lock.lock();
    try {
      return written;
    } finally {
      lock.unlock();
    }
  }

  private void write() throws IOException {
    if (closed) {
      throw new IOException("The journal in " + folder + " is closed; nothing is added to it.");
    }
    changed = false;
    keptModifiedTime = null;
    if (torn) {
      nextFile(); // begins with the complete state
      torn = false;
      return;
    }
    torn = true;
    append(entries.drainBlock());
    if (file.position() - checkpointEnd > fileBytes) {
      nextFile();
    }
    torn = false;
  }

  private void append(byte[] block) throws IOException {
    append(file, block);
  }

  private void append(FileChannel to, byte[] block) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(block);
    while (buffer.hasRemaining()) {
      written += to.write(buffer);
    }
  }

  /**
   * Starts the next file. The previous one is deleted only after the new one and its name are on
   * disk.
   */
  private void nextFile() throws IOException {
    Path path = files.path(fileNumber + 1);
    EntryWriter begun = new EntryWriter(JournalFiles.HEAD);
    begun.checkpoint(state);
    FileChannel next =
        PrivateFiles.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      append(next, JournalFiles.HEAD);
      append(next, begun.drainBlock());
      next.force(true);
      Durable.syncDirectory(folder);
      if (keptModifiedTime != null) {
        Files.setLastModifiedTime(path, keptModifiedTime);
      }
    } catch (IOException e) {
      next.close();
      Files.deleteIfExists(path);
      throw e;
    }
    if (file != null) {
      file.close();
    }
    file = next;
    entries = begun;
    fileNumber++;
    checkpointEnd = next.position();
    files.deleteBefore(fileNumber);
  }

  /**
   * Deletes the journal, then releases its lock.
   *
   * @throws IOException if it cannot be deleted; it is closed all the same
   */
  public void closeAndDelete() throws IOException {
    lock.lock();
    try {
      if (file == null || closed) {
        return;
      }
      closed = true;
      try (JournalLock ignored = folderLock) {
        file.close();
        files.delete();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes the journal, leaving one short file with the complete state. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (file == null || closed) {
        return;
      }
      closed = true;
      try (JournalLock ignored = folderLock) {
        nextFile();
      } finally {
        file.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
