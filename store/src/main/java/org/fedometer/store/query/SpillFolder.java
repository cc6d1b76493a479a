package org.fedometer.store.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder of this user, {@code fedometer-query-<process>-<random>}, for data that exceeds memory.
 * Deleted on close, or at the end of this JVM. The first folder of a later process in the same
 * parent deletes those of killed processes. Any thread.
 */
final class SpillFolder implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("fedometer-query-([1-9][0-9]{0,9})-[0-9]+");

  /** Processes of another container that shares the parent folder seem dead here. */
  private static final Duration MIN_LEFTOVER_AGE = Duration.ofDays(1);

  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();
  private static final Set<Path> TIDIED = ConcurrentHashMap.newKeySet();

  static {
    try {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> OPEN.forEach(SpillFolder::delete), "fedometer-query-folders"));
    } catch (IllegalStateException e) {
      // An interrupted run is reported while this JVM ends; closing then deletes the folder, too.
    }
  }

  private final Path path;

  private SpillFolder(Path path) {
    this.path = path;
  }

  /**
   * @param parent an existing folder
   */
  static SpillFolder in(Path parent) throws IOException {
    SpillFolder folder =
        new SpillFolder(
            Files.createTempDirectory(
                parent, "fedometer-query-" + ProcessHandle.current().pid() + "-"));
    OPEN.add(folder.path);
    if (TIDIED.add(parent.toAbsolutePath().normalize())) {
      folder.deleteLeftovers(Instant.now());
    }
    return folder;
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
    OPEN.remove(path);
  }

  /** Deletes this user's folders of ended processes, a day after their last write. */
  void deleteLeftovers(Instant now) {
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(path.getParent(), "fedometer-query-*")) {
      UserPrincipal owner = Files.getOwner(path);
      for (Path entry : entries) {
        Matcher name = NAME.matcher(entry.getFileName().toString());
        if (name.matches()
            && !isAlive(Long.parseLong(name.group(1)))
            && Files.getOwner(entry, LinkOption.NOFOLLOW_LINKS).equals(owner)
            && Files.getLastModifiedTime(entry).toInstant().plus(MIN_LEFTOVER_AGE).isBefore(now)) {
          delete(entry);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another process is deleting, too.
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  private static void delete(Path folder) {
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    } catch (IOException | UncheckedIOException e) {
      // A leftover temporary folder must not fail a query.
    }
  }
}
