package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Records how processes started by this one have ended, which only a parent learns. Any thread.
 *
 * <p>A process ended by a signal has 128 plus the signal's number as its status. The kernel does
 * not report for one process whether it ran out of memory. It counts such kills for each control
 * group: {@code memory.events} in version 2, {@code memory.oom_control} in version 1. {@code
 * /proc/vmstat} has the count for the whole system.
 */
public final class ProcessExits {
  private static final int SIGNAL = 128;
  private static final int KILL = 9;
  private static final long SETTLED_MILLIS = 1_000;
  private static final String COUNTER = "oom_kill ";

  private static final Map<Long, Started> STARTED = new ConcurrentHashMap<>();

  private record Started(Process process, long memoryKills) {}

  private ProcessExits() {}

  interface Start {
    Process start() throws IOException;
  }

  static Process startTracked(Start start) throws IOException {
    long before = memoryKills(Path.of("/"));
    Process process = start.start();
    STARTED.put(process.pid(), new Started(process, before));
    return process;
  }

  /**
   * Returns how a process was killed, such as {@code killed by signal 9}; empty if it was not, is
   * running, or was started by another process.
   */
  public static Optional<String> killCause(long pid) {
    Started started = STARTED.get(pid);
    if (started == null || !hasEnded(started.process())) {
      return Optional.empty();
    }
    return killCause(
        started.process().exitValue(), memoryKills(Path.of("/")) > started.memoryKills());
  }

  /** Returns whether the process has ended, which Java learns a moment after its end. */
  private static boolean hasEnded(Process process) {
    try {
      return process.waitFor(SETTLED_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  static Optional<String> killCause(int status, boolean forMemory) {
    int signal = status - SIGNAL;
    if (signal == KILL && forMemory) {
      return Optional.of("killed by the kernel for lack of memory (signal 9)");
    }
    return signal == KILL ? Optional.of("killed by signal 9") : Optional.empty();
  }

  /**
   * Returns the number of out-of-memory kills that the kernel has counted.
   *
   * @param root the folder that holds {@code proc} and {@code sys}
   */
  static long memoryKills(Path root) {
    Path groups = root.resolve("sys/fs/cgroup");
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] group = line.split(":", 3);
      if (group.length < 3) {
        continue;
      }
      // A group outside the container's view has a relative path up and down to it.
      String inside = group[2].contains("..") ? "" : group[2].replaceFirst("^/+", "");
      Path mount = group[1].isEmpty() ? groups : groups.resolve("memory");
      String file = group[1].isEmpty() ? "memory.events" : "memory.oom_control";
      if (group[1].isEmpty() || List.of(group[1].split(",")).contains("memory")) {
        for (Path folder : List.of(mount.resolve(inside), mount)) {
          long kills = counter(folder.resolve(file));
          if (kills >= 0) {
            return kills;
          }
        }
      }
    }
    return Math.max(0, counter(root.resolve("proc/vmstat")));
  }

  /** Returns the counter, or -1 if there is none. */
  private static long counter(Path file) {
    return lines(file).stream()
        .filter(line -> line.startsWith(COUNTER))
        .mapToLong(line -> Long.parseLong(line.substring(COUNTER.length()).strip()))
        .findFirst()
        .orElse(-1);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
