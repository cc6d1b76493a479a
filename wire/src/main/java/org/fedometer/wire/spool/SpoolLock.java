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
 * Says whose a source's spool files are: while {@code <UUID>.lock} is locked, they belong to a
 * process that lives. One thread's.
 */
final class SpoolLock {
  private static final String SUFFIX = ".lock";

  /**
   * Lock files that this process holds. They must not be opened a second time: the system gives a
   * process's lock up as soon as the process closes the file, by whatever handle.
   */
  private static final Set<Path> LOCKED_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private FileChannel file;
  private FileLock lock;

  /** {@code folder} is absolute. */
  SpoolLock(Path folder, UUID source) {
    this.path = folder.resolve(source + SUFFIX);
  }

  boolean isHeld() {
    return lock != null;
  }

  /**
   * Takes it, if nobody has it.
   *
   * @throws IOException it cannot be known whether somebody has it
   */
  boolean tryLock() throws IOException {
    if (!LOCKED_BY_THIS_PROCESS.add(path)) {
      return false;
    }
    try {
      file = PrivateFiles.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = file.tryLock();
    } catch (OverlappingFileLockException heldInThisJvm) {
      // By another class loader's copy of this.
      lock = null;
    } finally {
      if (lock == null) {
        closeFile();
        LOCKED_BY_THIS_PROCESS.remove(path);
      }
    }
    return lock != null;
  }

  /** Takes the file away; to be called while the lock is held. */
  void deleteFile() {
    path.toFile().delete();
  }

  /** Gives it back, if it is held. */
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
