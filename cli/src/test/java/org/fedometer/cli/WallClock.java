package org.fedometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The time of day as some processes see it, by Debian's libfaketime: it leaps while they run. Their
 * {@code System.nanoTime()} goes on evenly, as it does on a host whose clock is set. To be closed
 * when these processes have ended.
 */
final class WallClock implements AutoCloseable {
  private static final List<Path> LIBRARIES =
      Stream.of("x86_64", "aarch64")
          .map(machine -> Path.of("/usr/lib/" + machine + "-linux-gnu/faketime/libfaketimeMT.so.1"))
          .toList();

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /**
   * Files that libfaketime creates per process and often leaves behind, as after a kill or an exec.
   */
  private static final Pattern MADE =
      Pattern.compile("(sem\\.)?faketime_(sem|shm)_(?<pid>[0-9]{1,18})");

  private final Path file;
  private final Path library;

  /** Files that existed before this clock. */
  private final Set<Path> others;

  private WallClock(Path file, Path library, Set<Path> others) {
    this.file = file;
    this.library = library;
    this.others = others;
  }

  /**
   * Creates a correct clock. Skipped without libfaketime.
   *
   * @param file created; contains the clock's offset
   */
  static WallClock createOrSkip(Path file) throws IOException {
    List<Path> found = LIBRARIES.stream().filter(Files::isReadable).toList();
    Requirement.require(
        !found.isEmpty(),
        "there is libfaketime: apt-get install --no-install-recommends libfaketime");
    WallClock clock = new WallClock(file, found.get(0), inSharedMemory());
    clock.setAhead(Duration.ZERO);
    return clock;
  }

  /** Returns the prefix of commands that use it; see {@link Fedometer#withPrefix}. */
  List<String> commandPrefix() {
    return List.of(
        "env",
        "LD_PRELOAD=" + library,
        "FAKETIME_TIMESTAMP_FILE=" + file,
        "FAKETIME_CACHE_DURATION=1",
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        // Else waits of the JVM, which are for a time and until none, end at once.
        "FAKETIME_FORCE_MONOTONIC_FIX=0",
        "NO_FAKE_STAT=1");
  }

  /** Its processes see it within a second. */
  void setAhead(Duration offset) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, (offset.isNegative() ? "" : "+") + offset.toSeconds() + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Also deletes what its processes have left in shared memory. */
  @Override
  public void close() throws IOException {
    Set<Path> left = inSharedMemory();
    left.removeAll(others);
    for (Path each : left) {
      if (isOfEndedProcess(each)) {
        Files.deleteIfExists(each);
      }
    }
  }

  private static Set<Path> inSharedMemory() throws IOException {
    try (Stream<Path> files = Files.list(SHARED_MEMORY)) {
      return files
          .filter(file -> MADE.matcher(file.getFileName().toString()).matches())
          .collect(Collectors.toCollection(HashSet::new));
    }
  }

  private static boolean isOfEndedProcess(Path made) {
    Matcher name = MADE.matcher(made.getFileName().toString());
    return name.matches() && ProcessHandle.of(Long.parseLong(name.group("pid"))).isEmpty();
  }
}
