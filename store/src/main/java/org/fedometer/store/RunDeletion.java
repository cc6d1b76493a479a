package org.fedometer.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.wire.disk.Durable;

/**
 * Deletes runs in two steps, so that half a run is never visible: hides it by a rename, then
 * deletes it. The caller holds the store's lock, or is its collector. Stateless.
 */
public final class RunDeletion {
  private static final String PREFIX = ".deleted-";

  /** Retention of partly fetched runs, which are usually resumed within days. */
  private static final Duration FETCHED_RETENTION = Duration.ofDays(7);

  private RunDeletion() {}

  /** Hides a run and returns its new path, for {@link #delete}. */
  public static Path hide(RunFolder run) throws IOException {
    Path hidden = run.path().resolveSibling(PREFIX + run.name() + "-" + Ulid.next());
    Files.move(run.path(), hidden, StandardCopyOption.ATOMIC_MOVE);
    Durable.syncDirectory(hidden.getParent());
    return hidden;
  }

  /**
   * Hides a run if it is unchanged since it was archived.
   *
   * @param fingerprint of the archived content, see {@link RunArchive#fingerprint}; empty to skip
   *     the check
   * @throws IOException one sentence: the run has changed since; it still exists
   */
  public static Path hide(RunFolder run, String fingerprint) throws IOException {
    if (!fingerprint.isEmpty()) {
      requireUnchanged(run, fingerprint);
    }
    return hide(run);
  }

  /**
   * @throws IOException one sentence: the run's files differ from the archived ones
   */
  public static void requireUnchanged(RunFolder run, String fingerprint) throws IOException {
    boolean same;
    try {
      same = fingerprint.equals(RunArchive.fingerprint(run));
    } catch (NoSuchFileException e) {
      // A file disappeared during the count, for example by sealing.
      same = false;
    }
    if (!same) {
      throw changedException(run);
    }
  }

  public static IOException changedException(RunFolder run) {
    return new IOException(
        "The run %s has changed since it was archived and was not deleted; archive it again"
            .formatted(run.name()));
  }

  /**
   * Deletes a directory with all its content; does not follow links. Another thread may delete it
   * at the same time.
   */
  public static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
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
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Finishes deletions and removes restores that a crash interrupted. Keeps restores in progress,
   * and runs partly fetched within the last week, which the same fetch resumes.
   */
  public static void finishInterrupted(RunStore store) throws IOException {
    Path runs = store.runsDirectory();
    if (!Files.isDirectory(runs)) {
      return;
    }
    try (var hidden = Files.newDirectoryStream(runs, PREFIX + "*")) {
      for (Path run : hidden) {
        delete(run);
      }
    }
    RestoreFolder.deleteLeftovers(runs);
    Instant longAgo = Instant.now().minus(FETCHED_RETENTION);
    try (var fetched = Files.newDirectoryStream(runs, RunFetch.ASIDE + "*")) {
      for (Path run : fetched) {
        if (lastFilled(run).isBefore(longAgo)) {
          delete(run);
        }
      }
    }
  }

  /**
   * Returns when a fetch last began, or a folder last received a file: files themselves have the
   * times of their origin.
   */
  private static Instant lastFilled(Path directory) throws IOException {
    AtomicReference<Instant> last = new AtomicReference<>(Instant.MIN);
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            Instant filled = attributes.lastModifiedTime().toInstant();
            last.updateAndGet(before -> filled.isAfter(before) ? filled : before);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException goneOrClosed) {
            // It is in use, or belongs to another user.
            last.set(Instant.MAX);
            return FileVisitResult.CONTINUE;
          }
        });
    return last.get();
  }
}
