package org.fedometer.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * A hidden folder in which a run is being restored, with a locked file beside it. A folder without
 * a locked file was left by a killed process. One thread.
 */
final class RestoreFolder implements Closeable {
  private static final String PREFIX = ".restored-";
  private static final String LOCK = ".lock";

  private final Path folder;
  private final Path lockFile;
  private final FileChannel channel;

  private RestoreFolder(Path folder, Path lockFile, FileChannel channel) {
    this.folder = folder;
    this.lockFile = lockFile;
    this.channel = channel;
  }

  /** Locks a new name; does not create the folder itself. */
  static RestoreFolder in(Path runs) throws IOException {
    while (true) {
      Path folder = runs.resolve(PREFIX + Ulid.next());
      Optional<RestoreFolder> opened = tryOpen(folder, StandardOpenOption.CREATE_NEW);
      if (opened.isPresent()) {
        return opened.get();
      }
    }
  }

  static void deleteLeftovers(Path runs) throws IOException {
    Set<Path> folders = new TreeSet<>();
    try (var entries = Files.newDirectoryStream(runs, PREFIX + "*")) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        folders.add(
            name.endsWith(LOCK)
                ? runs.resolve(name.substring(0, name.length() - LOCK.length()))
                : entry);
      }
    }
    for (Path folder : folders) {
      Optional<RestoreFolder> opened = tryOpen(folder, StandardOpenOption.CREATE);
      if (opened.isPresent()) {
        opened.get().close();
      }
    }
  }

  /** Returns empty if another process or thread has the lock, or has just released it. */
  private static Optional<RestoreFolder> tryOpen(Path folder, StandardOpenOption create)
      throws IOException {
    Path lockFile = folder.resolveSibling(folder.getFileName() + LOCK);
    FileChannel channel;
    try {
      channel =
          PrivateFiles.open(lockFile, create, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      return Optional.empty();
    }
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock();
      // Its previous owner may have deleted the file that is locked now.
      locked = lock != null && Files.exists(lockFile, LinkOption.NOFOLLOW_LINKS);
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    return locked ? Optional.of(new RestoreFolder(folder, lockFile, channel)) : Optional.empty();
  }

  Path path() {
    return folder;
  }

  /** Deletes the folder, unless it has been moved to its destination. */
  @Override
  public void close() throws IOException {
    try (channel) {
      RunDeletion.delete(folder);
      Files.deleteIfExists(lockFile);
    }
  }
}
