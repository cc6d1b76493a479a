package org.fedometer.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.fedometer.wire.PrivateFiles;

/** File operations that are on disk when they return. Stateless, any thread. */
public final class Durable {
  private Durable() {}

  /** Puts a directory's entries (files made, renamed, deleted) on disk. */
  public static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Puts a file's content on disk. */
  public static void syncFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Renames a finished file to its place, over what was there, and puts both on disk. */
  public static void moveIntoPlace(Path finished, Path place) throws IOException {
    syncFile(finished);
    Files.move(
        finished, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(place.getParent());
  }

  /**
   * Makes a directory and those between it and one that has to be there.
   *
   * @throws NoSuchFileException that one has gone: a store that was moved away does not come back
   */
  public static void createDirectoriesBelow(Path existing, Path directory) throws IOException {
    if (!Files.isDirectory(existing)) {
      throw new NoSuchFileException(existing.toString());
    }
    createDirectories(directory);
  }

  /** Makes a directory and those above it that are missing, which others cannot read. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.getParent();
    if (parent != null) {
      createDirectories(parent);
    }
    try {
      PrivateFiles.createFolder(directory);
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
   * Replaces a file's content at once: a reader sees the old or the new one. It keeps its
   * permissions; others cannot read a new one.
   */
  public static void replace(Path file, byte[] content) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel channel =
        PrivateFiles.open(
            aside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    if (Files.exists(file)) {
      Files.setPosixFilePermissions(aside, Files.getPosixFilePermissions(file));
    }
    moveIntoPlace(aside, file);
  }
}
