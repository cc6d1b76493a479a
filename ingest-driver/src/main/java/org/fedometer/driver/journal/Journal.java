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
 * The write-ahead log of an ingest. Before an object is sent, that it is begun is handed to the
 * operating system; so after {@code kill -9} of the driver it is known which objects Fedora may
 * hold without our knowing. What the journal says after a loss of power may lack the last seconds:
 * whoever resumes then meets objects that are there already, and has to compare them.
 *
 * <p>Safe for use by many threads. On disk it is a folder of at most two files: each begins with
 * all that is known, and goes on with what happened since. A file that has grown to {@value
 * #FILE_BYTES} bytes is followed by the next.
 */
public final class Journal implements Closeable {

  static final long FILE_BYTES = 8L << 20;

  private final Path folder;
  private final JournalFiles files;
  private final JournalLock folderLock;
  private final ReentrantLock lock = new ReentrantLock();
  private final JournalState state;
  private final long epochOffsetNanos;
  private final long fileBytes;
  private long fileNumber;
  private FileChannel file;
  private long written;
  private EntryWriter entries;
  private boolean changed;

  /** Whether a write has failed: what comes after it could not be read. */
  private boolean torn;

  /** By whoever opened it; an interrupt of a thread that writes closes the file alone. */
  private boolean closed;

  /** Where the checkpoint that begins the file ends. */
  private long checkpointEnd;

  private long allUnconfirmedCount;

  /** Null for an ingest that begins. */
  private final Earlier earlier;

  private final ClockStep clock;

  /** When an earlier driver last wrote, until this one has something to say. */
  private FileTime keptModifiedTime;

  /** What earlier drivers of the same ingest have left. */
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

  /** One that no file keeps, for an ingest that cannot be resumed. */
  public static Journal inMemory(long firstIndex) {
    try {
      return new Journal(null, null, new JournalState(firstIndex, Stride.ALL), FILE_BYTES, null);
    } catch (IOException e) {
      throw new IllegalStateException("no file, no failure", e);
    }
  }

  /**
   * Begins a journal in a folder, which is made if need be and holds none so far.
   *
   * @throws IOException if it holds one, is in use, or cannot be written
   */
  public static Journal create(Path folder, long firstIndex) throws IOException {
    return create(folder, firstIndex, Stride.ALL);
  }

  /** As {@link #create(Path, long)}, for these indices alone. */
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
            "There is a journal in "
                + folder
                + " already: resume it with --resume, give the run another name, or delete that of this"
                + " name with 'fedometer runs rm'.");
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
   * Goes on with the journal of an ingest that ended early.
   *
   * @throws IOException if there is none, its driver still runs, or it is of no use
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
   * What a journal says, without going on with it; its driver may be at work.
   *
   * @throws IOException if there is none, or it is of no use
   */
  public static JournalState read(Path folder) throws IOException {
    return new JournalFiles(folder).read();
  }

  /** Whether there is one, whole or not. */
  public static boolean isIn(Path folder) throws IOException {
    return !new JournalFiles(folder).isEmpty();
  }

  /**
   * Whether a journal says that no object was sent; true where there is none.
   *
   * @throws IOException if it cannot be read, so that this is not known
   */
  public static boolean isWithoutObjects(Path folder) throws IOException {
    return new JournalFiles(folder).isWithoutObjects();
  }

  /**
   * When a driver last had something to write to it, by the clock of this host's files: one that
   * has only opened it has not.
   */
  public static long lastWrittenEpochMillis(Path folder) throws IOException {
    return new JournalFiles(folder).lastWrittenEpochMillis();
  }

  /**
   * Deletes a journal that nobody will go on with, whole or not, and its folder if there is nothing
   * else in it.
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
   * @throws JournalInUseException while a driver has the journal, whole or not
   */
  public static void requireNotInUse(Path folder) throws IOException {
    JournalLock.acquire(folder).close();
  }

  /** Returns when the operating system has it that the object is about to be sent. */
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

  /** Fedora holds the object; written with what comes next, at the latest by {@link #tick}. */
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
   * An acknowledged object is about to be purged and ingested again.
   *
   * @param triples that it made, those that it added to others included
   * @param additions statements that it has added to others, and will add again
   */
  public void withdrawn(long index, long triples, long contentBytes, long additions)
      throws IOException {
    change(
        () -> state.withdrawn(index, triples, contentBytes, additions),
        () -> entries.withdrawn(index, triples, contentBytes, additions));
  }

  /** An acknowledged object may have lost a part of itself. */
  public void unconfirmed(long index) throws IOException {
    change(() -> state.unconfirmed(index), () -> entries.unconfirmed(index));
  }

  /** A suspect was found to be whole. */
  public void confirmed(long index) throws IOException {
    change(() -> state.confirmed(index), () -> entries.confirmed(index));
  }

  /** Fedora is about to be asked to flush: what was acknowledged so far will be in it. */
  public void flushBegun() throws IOException {
    change(state::flushBegun, () -> entries.event(EntryKind.FLUSH_BEGUN));
  }

  /** Fedora has flushed what was acknowledged before {@link #flushBegun}. */
  public void flushConfirmed() throws IOException {
    change(state::flushConfirmed, () -> entries.event(EntryKind.FLUSH_CONFIRMED));
  }

  /** Fedora could not flush: what was to be in it may be lost. */
  public void flushFailed() throws IOException {
    change(state::flushFailed, () -> entries.event(EntryKind.FLUSH_FAILED));
  }

  /** Fedora was away: what it had not flushed may be lost. */
  public void allUnconfirmed() throws IOException {
    change(
        () -> {
          state.allUnconfirmed();
          allUnconfirmedCount++;
        },
        () -> entries.event(EntryKind.ALL_UNCONFIRMED));
  }

  /**
   * How often all became suspect by this driver. Where that has changed between the sending of an
   * object and its acknowledgement here, the Fedora that took it may be gone.
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

  /** Writes what still waits; called about twice a second. */
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

  /** What is known now; a copy. */
  public JournalState state() {
    lock.lock();
    try {
      return state.copy();
    } finally {
      lock.unlock();
    }
  }

  /** When the first driver of an ingest that goes on began; null for one that begins. */
  public Instant resumedSince() {
    return earlier == null ? null : earlier.first().began();
  }

  /** How far this host's time of day was set back since the first driver began. */
  public Duration clockSetBack() {
    return clock.maxSetBack();
  }

  /**
   * When the driver before this one wrote last, by the clock of this host's files; null for one
   * that begins.
   */
  public Instant lastWrittenBefore() {
    return earlier == null ? null : earlier.lastWritten().toInstant();
  }

  /** Where it is; null for one in memory. */
  public Path folder() {
    return folder;
  }

  /** Bytes in the files of this journal written by this object. */
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
      nextFile(); // begins with all that is known
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

  /** The file before stays until the one after it is on disk, and so is its name; then it goes. */
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
   * Deletes the journal and then lets go of it: nobody will go on with it.
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

  /** Leaves one short file that says all, for whoever asks later. */
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
