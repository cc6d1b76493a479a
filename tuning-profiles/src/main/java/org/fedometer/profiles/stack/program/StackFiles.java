package org.fedometer.profiles.stack.program;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.fedometer.wire.disk.Durable;

/** File operations for stacks that the JDK does not offer in one call. Stateless. */
public final class StackFiles {

  private static final String UNFINISHED = ".tmp";

  private StackFiles() {}

  /** Creates a folder that only its owner may enter, and its parents. */
  public static Path createPrivateFolder(Path folder) throws IOException {
    Durable.createDirectories(folder);
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  /**
   * Writes a file that only its owner may read. Readers see the old content or the new, even after
   * a power cut.
   */
  public static void writePrivately(Path file, String content) throws IOException {
    Path aside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            file.getFileName() + ".",
            UNFINISHED,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      // Not through a channel, which an interrupt closes: an interrupted stop must still record
      // which processes it has ended.
      try (FileOutputStream out = new FileOutputStream(aside.toFile())) {
        out.write(content.getBytes(StandardCharsets.UTF_8));
      }
      Durable.moveIntoPlace(aside, file);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /** Deletes files left by a process that was killed in {@link #writePrivately}. */
  public static void deleteUnfinished(Path file) throws IOException {
    String name = file.getFileName() + ".";
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(
            file.getParent(),
            path ->
                path.getFileName().toString().startsWith(name)
                    && path.toString().endsWith(UNFINISHED))) {
      for (Path leftover : leftovers) {
        Files.deleteIfExists(leftover);
      }
    }
  }

  /** Deletes a folder with its content, and one of its files after all others. */
  public static void deleteTree(Path root, Path last) throws IOException {
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> children =
          Files.newDirectoryStream(root, child -> !child.equals(last))) {
        for (Path child : children) {
          deleteTree(child);
        }
      }
    }
    deleteTree(root);
  }

  /**
   * Deletes a file, or a folder with its content, without following links. A missing one is no
   * error.
   */
  public static void deleteTree(Path root) throws IOException {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure)
                throws IOException {
              if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure)
                throws IOException {
              Files.deleteIfExists(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // Already gone.
    }
  }
}
