package org.fedometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The time of day as some processes see it, by Debian's libfaketime: it leaps while they run. Their
 * {@code System.nanoTime()} goes on evenly, as it does on a host whose clock is set.
 */
final class WallClock {
  private static final List<Path> LIBRARIES =
      Stream.of("x86_64", "aarch64")
          .map(machine -> Path.of("/usr/lib/" + machine + "-linux-gnu/faketime/libfaketimeMT.so.1"))
          .toList();

  private final Path file;
  private final Path library;

  private WallClock(Path file, Path library) {
    this.file = file;
    this.library = library;
  }

  /**
   * One that goes right for the time being. Skipped where there is no libfaketime.
   *
   * @param file that says how far it is ahead, which is made
   */
  static WallClock orSkip(Path file) throws IOException {
    List<Path> found = LIBRARIES.stream().filter(Files::isReadable).toList();
    Requirement.unless(
        !found.isEmpty(),
        "there is libfaketime: apt-get install --no-install-recommends libfaketime");
    WallClock clock = new WallClock(file, found.get(0));
    clock.isAhead(Duration.ZERO);
    return clock;
  }

  /** What a command begins with that is to see it; see {@link Fedometer#by}. */
  List<String> entrance() {
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
  void isAhead(Duration offset) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, (offset.isNegative() ? "" : "+") + offset.toSeconds() + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
