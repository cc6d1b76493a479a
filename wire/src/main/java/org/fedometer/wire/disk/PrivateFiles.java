package org.fedometer.wire.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes folders (750) and files (640) that only their owner writes and others cannot read, since
 * PIDs and log lines are in them. A stricter umask holds; what exists keeps its permissions. On a
 * file system without such permissions, its defaults apply. Stateless, any thread.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> OF_FILES =
      PosixFilePermissions.fromString("rw-r-----");
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(OF_FILES);
  private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

  private PrivateFiles() {}

  /** Makes one folder in one that exists. */
  public static void createFolder(Path folder) throws IOException {
    Files.createDirectory(folder, attributes(folder, FOLDER));
  }

  /** Makes a folder and those above it that are missing; all are on disk when this returns. */
  public static void createFolders(Path folder) throws IOException {
    Durable.createDirectories(folder, attributes(folder, FOLDER));
  }

  /**
   * Makes a folder and those above it that are missing, as {@link #createFolders}, but syncs
   * nothing: that would need permission to read the folder above.
   */
  public static void createFoldersUnsynced(Path folder) throws IOException {
    // A link to a folder is one.
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, attributes(folder, FOLDER));
    }
  }

  /**
   * Makes a folder and those between it and one that has to be there, as {@link #createFolders}.
   *
   * @throws NoSuchFileException that one has gone: a store that was moved away does not come back
   */
  public static void createFoldersBelow(Path existing, Path folder) throws IOException {
    if (!Files.isDirectory(existing)) {
      throw new NoSuchFileException(existing.toString());
    }
    createFolders(folder);
  }

  /** Replaces a file's content as {@link Durable#replace} does. */
  public static void replace(Path file, byte[] content) throws IOException {
    Durable.replace(file, content, attributes(file, FILE));
  }

  /** Makes an empty file where there is none. */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, attributes(file, FILE));
    } catch (FileAlreadyExistsException e) {
      // It keeps what its owner has set.
    }
  }

  /** Opens a file as {@link FileChannel#open(Path, OpenOption...)} does. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, new HashSet<>(Arrays.asList(options)), attributes(file, FILE));
  }

  /** Takes away what a new file has beyond these permissions, which somebody else has made. */
  public static void restrict(Path file) throws IOException {
    if (!Durable.hasPermissions(file)) {
      return;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.retainAll(OF_FILES)) {
      Files.setPosixFilePermissions(file, permissions);
    }
  }

  private static FileAttribute<?>[] attributes(Path path, FileAttribute<?> permissions) {
    return Durable.hasPermissions(path)
        ? new FileAttribute<?>[] {permissions}
        : new FileAttribute<?>[0];
  }
}
