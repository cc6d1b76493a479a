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
 * Creates folders (750) and files (640) that only their owner writes and others cannot read, since
 * they contain PIDs and log lines. A stricter umask applies; existing files keep their permissions.
 * On a file system without POSIX permissions, its defaults apply. Stateless, any thread.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> OF_FILES =
      PosixFilePermissions.fromString("rw-r-----");
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(OF_FILES);
  private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

  private PrivateFiles() {}

  /** Creates one folder in an existing one. */
  public static void createFolder(Path folder) throws IOException {
    Files.createDirectory(folder, attributes(folder, FOLDER));
  }

  /** Creates a folder and its missing parents; all are on disk when this returns. */
  public static void createFolders(Path folder) throws IOException {
    Durable.createDirectories(folder, attributes(folder, FOLDER));
  }

  /**
   * Creates folders as {@link #createFolders} does, but syncs nothing: syncing needs read
   * permission on the parent.
   */
  public static void createFoldersUnsynced(Path folder) throws IOException {
    // A link to a folder counts as one.
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, attributes(folder, FOLDER));
    }
  }

  /**
   * Creates a folder below an existing one, with all between, as {@link #createFolders} does.
   *
   * @throws NoSuchFileException if {@code existing} is gone: a store that was moved away is not
   *     created again
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

  /** Creates an empty file if there is none. */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, attributes(file, FILE));
    } catch (FileAlreadyExistsException e) {
      // An existing file keeps its permissions.
    }
  }

  /** Opens a file as {@link FileChannel#open(Path, OpenOption...)} does. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, new HashSet<>(Arrays.asList(options)), attributes(file, FILE));
  }

  /** Removes permissions beyond these from a new file that other code created. */
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
