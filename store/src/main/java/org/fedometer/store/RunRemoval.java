package org.fedometer.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Deletes runs. A run vanishes at once, by a name that no run can have; its files go after that,
 * and may go on going after a crash. For whoever may write the store.
 */
public final class RunRemoval {
  private static final String HIDDEN = ".removed-";

  private RunRemoval() {}

  /** Makes the run vanish; quick. */
  public static void hide(RunFolder run) throws IOException {
    Path parent = run.path().getParent();
    Files.move(run.path(), parent.resolve(HIDDEN + Ulid.next()), StandardCopyOption.ATOMIC_MOVE);
    Durable.syncDirectory(parent);
  }

  /** Deletes the files of all runs that have vanished. */
  public static void deleteHidden(RunStore store) throws IOException {
    try (DirectoryStream<Path> hidden =
        Files.newDirectoryStream(store.directory().resolve("runs"), HIDDEN + "*")) {
      for (Path run : hidden) {
        delete(run);
      }
    } catch (NoSuchFileException e) {
      // There is no run, then.
    }
  }

  /** Deletes a file or a directory with all that is in it, if it is there; follows no link. */
  public static void delete(Path root) throws IOException {
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
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
