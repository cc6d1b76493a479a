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
 * File operations that are on disk when they return. A new name counts as on disk when the folder
 * that holds it has been synced. Stateless, any thread; an interrupt does not cut an operation
 * short and stays pending.
 */
public final class Durable {
  private Durable() {}

  /** Puts a directory's entries (files made, renamed, deleted) on disk. */
  public static void syncDirectory(Path directory) throws IOException {
    sync(directory);
  }

  public static void syncFile(Path file) throws IOException {
    sync(file);
  }

  /** Puts a directory and all below it on disk; links are not followed. */
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

  /** Renames a finished file to its place, over what was there, and puts both on disk. */
  public static void moveIntoPlace(Path finished, Path place) throws IOException {
    syncFile(finished);
    Files.move(
        finished, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(place.toAbsolutePath().getParent());
  }

  /** Makes a directory and those above it that are missing, each with these attributes. */
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
   * Replaces a file's content at once: a reader sees the old or the new one, after a loss of power
   * too. A file that was there keeps its permissions; a new one gets the attributes.
   */
  public static void replace(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(aside); // of a process that was killed, with attributes of its own
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

  /** Whether files there have POSIX permissions; on Windows they have not. */
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

  /** Repeats what an interrupt has cut short: a stop that is interrupted writes down its result. */
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
