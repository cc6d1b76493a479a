package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.fedometer.profiles.stack.program.ProvisioningException;

/**
 * Lock for creating or starting a stack in a home: a system lock on one byte of a file shared by
 * all homes. It ends with the process that holds it.
 */
public final class HomeLock implements AutoCloseable {

  /**
   * Files by path. They are never closed, because closing any channel of a file releases all of the
   * process's locks on it.
   */
  private static final Map<Path, FileChannel> FILES = new HashMap<>();

  /** Number of bytes, large enough that two homes do not share one by chance. */
  private static final long BYTES = 1L << 48;

  private final FileLock lock;

  private HomeLock(FileLock lock) {
    this.lock = lock;
  }

  /** Acquires the lock of a home, or fails at once. */
  public static HomeLock acquire(Path file, Path home) throws IOException, ProvisioningException {
    UUID digest = UUID.nameUUIDFromBytes(home.toString().getBytes(StandardCharsets.UTF_8));
    long position = Math.floorMod(digest.getMostSignificantBits(), BYTES);
    FileLock lock;
    try {
      lock = channel(file.toAbsolutePath()).tryLock(position, 1, false);
    } catch (OverlappingFileLockException e) {
      // Another thread of this process holds it.
      lock = null;
    }
    if (lock == null) {
      throw ProvisioningException.preflight(
          "Another Fedometer is creating or starting a stack in "
              + home
              + "; wait until it is up, or choose another folder.");
    }
    return new HomeLock(lock);
  }

  private static synchronized FileChannel channel(Path file) throws IOException {
    FileChannel channel = FILES.get(file);
    if (channel == null || !channel.isOpen()) {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FILES.put(file, channel);
    }
    return channel;
  }

  @Override
  public void close() {
    try {
      lock.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
