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
 * Held while a stack is made or started, so that nobody else does so in the same home: a lock of
 * the system's on one byte of a file that all homes share. It ends with the process that holds it.
 */
public final class HomeLock implements AutoCloseable {

  /**
   * Files by their path, never closed: closing any channel of a file gives up all locks that the
   * process has on it.
   */
  private static final Map<Path, FileChannel> FILES = new HashMap<>();

  /** So many bytes that two homes do not share one by chance. */
  private static final long BYTES = 1L << 48;

  private final FileLock lock;

  private HomeLock(FileLock lock) {
    this.lock = lock;
  }

  /** Takes the lock of a home, or fails at once. */
  public static HomeLock acquire(Path file, Path home) throws IOException, ProvisioningException {
    UUID digest = UUID.nameUUIDFromBytes(home.toString().getBytes(StandardCharsets.UTF_8));
    long position = Math.floorMod(digest.getMostSignificantBits(), BYTES);
    FileLock lock;
    try {
      lock = channel(file.toAbsolutePath()).tryLock(position, 1, false);
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
      lock = null;
    }
    if (lock == null) {
      throw ProvisioningException.preflight(
          "Another Fedometer is making or starting a stack in "
              + home
              + " just now; wait until it is up, or choose another folder.");
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
