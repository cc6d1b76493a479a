package org.fedometer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The processes of one {@link Browser}: those whose command line or environment names its folder,
 * which no other's does, and all that they have started. Chromium's are in part no children of it.
 */
final class BrowserProcesses {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Path PROC = Path.of("/proc");

  private final Path folder;

  BrowserProcesses(Path folder) {
    this.folder = folder;
  }

  /** Those that run now. */
  Set<ProcessHandle> running() {
    long matching = ProcessHandle.current().pid();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != matching)
        .filter(process -> names(process, "cmdline") || names(process, "environ"))
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .filter(BrowserProcesses::runs)
        .collect(Collectors.toSet());
  }

  /**
   * Waits for the end of these and of all that run by then; whatever has not ended on its own is
   * ended.
   */
  void end(Set<ProcessHandle> known) {
    Predicate<Set<ProcessHandle>> ended =
        others -> others.isEmpty() && known.stream().noneMatch(BrowserProcesses::runs);
    try {
      Awaitility.await().pollDelay(Duration.ZERO).atMost(TIMEOUT).until(this::running, ended::test);
    } catch (ConditionTimeoutException e) {
      Stream.concat(known.stream(), running().stream())
          .filter(BrowserProcesses::runs)
          .forEach(ProcessHandle::destroyForcibly);
      Awaitility.await().atMost(TIMEOUT).until(this::running, ended::test);
    }
  }

  /** Returns false for a zombie, which has no command line. */
  static boolean runs(ProcessHandle process) {
    return process.isAlive() && !read(process, "cmdline").isEmpty();
  }

  private boolean names(ProcessHandle process, String file) {
    return read(process, file).contains(folder.toString());
  }

  /** Returns empty for an ended or foreign process. */
  private static String read(ProcessHandle process, String file) {
    try {
      return Files.readString(
          PROC.resolve(Long.toString(process.pid())).resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
