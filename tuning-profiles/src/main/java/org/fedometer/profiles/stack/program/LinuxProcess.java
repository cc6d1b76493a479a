package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process, identified by its start in clock ticks since boot and by the boot, so that a later
 * process with the same number differs. Both come from {@code /proc}. Unlike the start's time of
 * day, they do not move when the clock is set.
 *
 * @param role the role, such as {@code Fedora}
 * @param startTicks field 22 of {@code /proc/PID/stat}
 * @param bootId the boot to which it belongs
 */
public record LinuxProcess(String role, long pid, long startTicks, String bootId) {

  private static final Path PROC = Path.of("/proc");
  private static final String UID = "unix:uid";
  private static final Duration POLL = Duration.ofMillis(20);

  /** Returns a running process; empty if it is gone, or dead and not yet reaped. */
  public static Optional<LinuxProcess> of(String role, long pid) {
    String[] fields = stat(pid);
    if (fields == null || isDead(pid, fields[0])) {
      return Optional.empty();
    }
    return Optional.of(new LinuxProcess(role, pid, Long.parseLong(fields[19]), currentBoot()));
  }

  /** Returns every process with all these arguments next to each other on its command line. */
  public static List<LinuxProcess> withArguments(String role, String... arguments) {
    List<LinuxProcess> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path folder : folders) {
        long pid = Long.parseLong(folder.getFileName().toString());
        if (pid != ProcessHandle.current().pid() && hasArguments(folder, arguments)) {
          of(role, pid).ifPresent(found::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Returns every process with this working folder, as far as this user may see. */
  public static List<LinuxProcess> inFolder(String role, Path working) throws IOException {
    Path real = working.toRealPath();
    List<LinuxProcess> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path folder : folders) {
        try {
          if (Files.readSymbolicLink(folder.resolve("cwd")).equals(real)) {
            of(role, Long.parseLong(folder.getFileName().toString())).ifPresent(found::add);
          }
        } catch (IOException e) {
          // Gone, or another user's.
        }
      }
    }
    return found;
  }

  /** Returns whether it is running; a later process with its number does not count. */
  public boolean isAlive() {
    String[] fields = stat(pid);
    return fields != null
        && !isDead(pid, fields[0])
        && Long.parseLong(fields[19]) == startTicks
        && currentBoot().equals(bootId);
  }

  /**
   * Returns whether it belongs to the owner of a file, or the file to root. Otherwise any user who
   * can write a stack.json could make another user, root in particular, end any of that user's
   * processes by stopping the stack.
   */
  public boolean mayBeNamedBy(Path file) {
    try {
      Object owner = Files.getAttribute(file, UID, LinkOption.NOFOLLOW_LINKS);
      return owner.equals(0)
          || owner.equals(Files.getAttribute(PROC.resolve(Long.toString(pid)), UID));
    } catch (IOException e) {
      return false; // the file or process is gone
    }
  }

  /** Returns its complete command line; empty if the process is gone. */
  public List<String> command() {
    try {
      String line =
          new String(
              Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("cmdline")),
              StandardCharsets.UTF_8);
      return isAlive() && !line.isEmpty() ? List.of(line.split("\0")) : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Sends a signal, such as {@code INT}; does nothing if the process is gone. */
  public void signal(String name) throws IOException {
    if (!isAlive()) {
      return;
    }
    // Only a shell can send signals other than TERM and KILL.
    Process shell =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      shell.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for its end, even if this thread is interrupted; returns whether it ended in time. */
  public boolean awaitEnd(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    while (isAlive()) {
      if (System.nanoTime() - deadline > 0) {
        break;
      }
      try {
        Thread.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !isAlive();
  }

  /** Returns its running descendants. */
  public List<LinuxProcess> descendants() {
    if (!isAlive()) {
      return List.of();
    }
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .flatMap(handle -> of("child of " + role, handle.pid()).stream())
        .toList();
  }

  private static boolean hasArguments(Path folder, String... arguments) {
    try {
      String commandLine =
          new String(Files.readAllBytes(folder.resolve("cmdline")), StandardCharsets.UTF_8);
      List<String> all = Arrays.asList(commandLine.split("\0"));
      return Collections.indexOfSubList(all, List.of(arguments)) >= 0;
    } catch (IOException e) {
      // Gone, another user's, or not text.
      return false;
    }
  }

  /**
   * Returns whether the process is dead. A killed process is a zombie after its first thread ends.
   * Its files stay open and its ports occupied until the last thread ends.
   */
  private static boolean isDead(long pid, String state) {
    if (!state.equals("Z")) {
      return state.equals("X");
    }
    try (Stream<Path> threads = Files.list(PROC.resolve(Long.toString(pid)).resolve("task"))) {
      return threads.count() <= 1;
    } catch (IOException | UncheckedIOException e) {
      return true; // the process is gone
    }
  }

  /** Returns the fields of stat after the command, which may itself hold blanks and brackets. */
  private static String[] stat(long pid) {
    try {
      String stat =
          Files.readString(
              PROC.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    } catch (IOException e) {
      return null;
    }
  }

  private static String currentBoot() {
    try {
      return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
