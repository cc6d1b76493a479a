package org.fedometer.driver.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Prevents two drivers from using one journal: while a file in its folder is locked, its driver
 * runs. Held for opening and deleting, and until an open journal is closed. Thread-safe.
 */
final class JournalLock implements Closeable {

  private static final String FILE = "lock";

  private final FileChannel channel;

  private JournalLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws JournalInUseException if the lock is held elsewhere
   */
  static JournalLock acquire(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    FileChannel channel =
        PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean acquired = false;
    try {
      FileLock held;
      try {
        held = channel.tryLock();
      } catch (OverlappingFileLockException e) {
        held = null;
      }
      // An ending driver may have deleted the file opened here.
      if (held == null || !Files.exists(file)) {
        throw new JournalInUseException(
            "The journal in " + folder + " is in use: its driver still runs.");
      }
      acquired = true;
      return new JournalLock(channel);
    } finally {
      if (!acquired) {
        channel.close();
      }
    }
  }

  /** Deletes the lock file; requires the lock, before it is closed. */
  static void deleteFile(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
