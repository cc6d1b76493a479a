package org.fedometer.wire.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.EnumSet;
import java.util.Set;

/**
 * File operations that are on disk when they return. A new name is on disk once its folder has been
 * synced. Stateless, any thread; an interrupt stays pending and does not abort an operation.
 */
public final class Durable {
  private Durable() {}

  /** Syncs a directory's entries: files created, renamed and deleted. */
  public static void syncDirectory(Path directory) throws IOException {
    sync(directory);
  }

  public static void syncFile(Path file) throws IOException {
    sync(file);
  }

  /** Syncs a directory and all below it; does not follow links. */
  public static void syncTree(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              sync(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            syncDirectory(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Renames a finished file, replaces any file in that place, and syncs file and folder. */
  public static void moveIntoPlace(Path finished, Path place) throws IOException {
    syncFile(finished);
    Files.move(
        finished, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(place.toAbsolutePath().getParent());
  }

  /** Creates a directory and its missing parents, each with these attributes. */
  public static void createDirectories(Path directory, FileAttribute<?>... attributes)
      throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      createDirectories(parent, attributes);
    }
    try {
      Files.createDirectory(directory, attributes);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  /**
   * Replaces a file's content atomically: a reader sees the old or the new content, even after a
   * power loss. An existing file keeps its permissions; a new one gets the attributes.
   */
  public static void replace(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(aside); // left by a killed process, with other attributes
    try {
      uninterrupted(() -> write(aside, content, attributes));
      if (Files.exists(file) && hasPermissions(file)) {
        Files.setPosixFilePermissions(aside, Files.getPosixFilePermissions(file));
      }
      moveIntoPlace(aside, file);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /** Returns whether files there have POSIX permissions; on Windows they have none. */
  static boolean hasPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void write(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    Set<StandardOpenOption> options =
        EnumSet.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, options, attributes)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private static void sync(Path path) throws IOException {
    uninterrupted(
        () -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
          }
        });
  }

  private interface Operation {
    void run() throws IOException;
  }

  /**
   * Repeats an operation that an interrupt aborted, so that an interrupted stop still writes its
   * result.
   */
  private static void uninterrupted(Operation operation) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          operation.run();
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = true;
          Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
