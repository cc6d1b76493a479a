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

/** A lock on a file of the store that ends with the process at the latest. Any thread. */
final class StoreLock implements AutoCloseable {
  /**
   * Locks of this process. The system grants them to the process and takes all of a file's away
   * when any of its channels is closed, so a file that is locked here must not be opened again.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private StoreLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** The lock of whoever writes a store, or lets nobody write it for a while. */
  static Path ofCollector(Path store) {
    return store.resolve("collector.lock");
  }

  /** Empty where another process, or another place in this one, has it. */
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

  /** Whether somebody has it; takes it for no moment that a writer would notice, makes no file. */
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
