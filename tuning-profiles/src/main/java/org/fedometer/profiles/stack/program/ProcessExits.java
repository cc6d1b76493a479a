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
 * How processes have ended that this one has started: only a parent is told. Any thread.
 *
 * <p>A process that was ended by a signal has 128 and the signal's number as its status. Whether
 * the kernel has done it for lack of memory, it does not say of one process; it counts such kills
 * for each control group, of version 2 in {@code memory.events} and of version 1 in {@code
 * memory.oom_control}, and for the whole system in {@code /proc/vmstat}.
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
   * How a process was killed, such as {@code killed by signal 9}; empty if it was not, or runs, or
   * was started by another process.
   */
  public static Optional<String> killCause(long pid) {
    Started started = STARTED.get(pid);
    if (started == null || !hasEnded(started.process())) {
      return Optional.empty();
    }
    return killCause(
        started.process().exitValue(), memoryKills(Path.of("/")) > started.memoryKills());
  }

  /** Java learns of an end a moment after the process is gone. */
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
   * Kills for lack of memory that the kernel has counted.
   *
   * @param root folder in which {@code proc} and {@code sys} are
   */
  static long memoryKills(Path root) {
    Path groups = root.resolve("sys/fs/cgroup");
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] group = line.split(":", 3);
      if (group.length < 3) {
        continue;
      }
      // Outside of what a container sees, a group is named by the way up and down to it.
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

  /** -1 where there is none. */
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
