package org.fedometer.collector;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.fedometer.wire.disk.PrivateFiles;

/** A file lock in the store, released at the latest when the process exits. Any thread. */
final class StoreLock implements AutoCloseable {
  /**
   * Locks of this process. The operating system grants locks per process and releases all of a
   * file's when any channel of it closes. A file locked here must therefore not be opened again.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private StoreLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Returns the lock of the store's writer, or of a process that keeps writers out. */
  static Path ofCollector(Path store) {
    return store.resolve("collector.lock");
  }

  /** Returns empty if this or another process holds the lock. */
  static Optional<StoreLock> tryLock(Path file) throws IOException {
    if (!HELD_HERE.add(file)) {
      return Optional.empty();
    }
    StoreLock lock = null;
    try {
      lock = lockOrNull(file);
      return Optional.ofNullable(lock);
    } finally {
      if (lock == null) {
        HELD_HERE.remove(file);
      }
    }
  }

  /** Returns whether the lock is held. Creates no file and never delays a writer noticeably. */
  static boolean isHeld(Path file) throws IOException {
    if (!HELD_HERE.add(file)) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null;
    } catch (NoSuchFileException e) {
      return false;
    } finally {
      HELD_HERE.remove(file);
    }
  }

  private static StoreLock lockOrNull(Path file) throws IOException {
    FileChannel channel =
        PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new StoreLock(file, channel);
      }
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD_HERE.remove(file);
    }
  }
}
