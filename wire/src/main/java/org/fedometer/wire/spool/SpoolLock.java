package org.fedometer.wire.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Marks the owner of a source's spool files: while {@code <UUID>.lock} is locked, they belong to a
 * live process. Used by one thread.
 */
final class SpoolLock {
  private static final String SUFFIX = ".lock";

  /**
   * Lock files that this process holds. They must not be opened again: the system releases a
   * process's lock as soon as the process closes the file, by any handle.
   */
  private static final Set<Path> LOCKED_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private FileChannel file;
  private FileLock lock;

  /**
   * @param folder absolute
   */
  SpoolLock(Path folder, UUID source) {
    this.path = folder.resolve(source + SUFFIX);
  }

  boolean isHeld() {
    return lock != null;
  }

  /**
   * Acquires the lock if it is free.
   *
   * @throws IOException if the lock's state is unknown
   */
  boolean tryLock() throws IOException {
    if (!LOCKED_BY_THIS_PROCESS.add(path)) {
      return false;
    }
    try {
      file = PrivateFiles.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = file.tryLock();
    } catch (OverlappingFileLockException heldInThisJvm) {
      // Held by another class loader's copy of this class.
      lock = null;
    } finally {
      if (lock == null) {
        closeFile();
        LOCKED_BY_THIS_PROCESS.remove(path);
      }
    }
    return lock != null;
  }

  /** Deletes the file; call while the lock is held. */
  void deleteFile() {
    path.toFile().delete();
  }

  /** Releases the lock, if it is held. */
  void release() {
    if (lock != null) {
      closeFile();
      LOCKED_BY_THIS_PROCESS.remove(path);
      lock = null;
    }
  }

  private void closeFile() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing was written.
      }
    }
  }
}
