package org.fedometer.collector;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A lock on a file of the store that ends with the process at the latest. Any thread. */
final class StoreLock implements AutoCloseable {
  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Empty where another process, or another place in this one, has it. */
  static Optional<StoreLock> tryLock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return Optional.of(new StoreLock(channel));
      }
    } catch (OverlappingFileLockException e) {
      // Held within this process: the same as by another.
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
