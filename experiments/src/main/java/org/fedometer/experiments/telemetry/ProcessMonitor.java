package org.fedometer.experiments.telemetry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the resource usage of one process from Linux's {@code /proc}, optionally with its children.
 * Not thread-safe. docs/decisions/0006-telemetry.md explains why no library is used.
 *
 * <p>A process's counters include ended children as soon as it has reaped them, so that the sum
 * over a server and its children loses nothing. Shared memory of children counts once: private
 * memory is summed; of shared memory and mapped files, the largest part counts.
 */
final class ProcessMonitor {

  private static final Path PROC = Path.of("/proc");

  /** Linux reports times in hundredths of a second, whatever its own clock. */
  private static final long NANOS_IN_TICK = 10_000_000;

  private static final long BYTES_IN_KB = 1024;

  /** Fields of {@code stat}, counted from the state, which is the third. */
  private static final int USER_TIME = 11;

  private static final int SYSTEM_TIME = 12;
  private static final int ENDED_CHILDREN_USER_TIME = 13;
  private static final int ENDED_CHILDREN_SYSTEM_TIME = 14;
  private static final int START_TIME = 19;

  private final Path proc;
  private final long pid;
  private final boolean withChildren;
  private String startTicks;
  private ProcessUse last = new ProcessUse(0, 0, ProcessUse.UNKNOWN);

  ProcessMonitor(Path proc, long pid, boolean withChildren) {
    this.proc = proc;
    this.pid = pid;
    this.withChildren = withChildren;
  }

  static ProcessMonitor of(long pid) {
    return new ProcessMonitor(PROC, pid, false);
  }

  /** Returns a monitor of a server with child processes, such as PostgreSQL. */
  static ProcessMonitor withChildren(long pid) {
    return new ProcessMonitor(PROC, pid, true);
  }

  /** Returns its usage so far; empty when it has ended. */
  Optional<ProcessUse> read() {
    // The process before its children: a child that ends in between is missing now and counted next
    // time, but not twice.
    Counts sum = new Counts(proc, withChildren);
    String start = sum.add(pid);
    if (start == null || (startTicks != null && !startTicks.equals(start))) {
      return Optional.empty();
    }
    startTicks = start;
    if (withChildren) {
      for (long child : children()) {
        sum.add(child);
      }
    }
    last = sum.use().atLeast(last);
    return Optional.of(last);
  }

  private List<Long> children() {
    Path list = proc.resolve(pid + "/task/" + pid + "/children");
    try {
      List<Long> children = new ArrayList<>();
      for (String child : Files.readString(list).split(" ")) {
        if (!child.isBlank()) {
          children.add(Long.parseLong(child.strip()));
        }
      }
      return children;
    } catch (IOException e) {
      // A kernel without these lists; this alternative scans all processes.
      return ProcessHandle.of(pid).stream()
          .flatMap(ProcessHandle::children)
          .map(ProcessHandle::pid)
          .toList();
    }
  }

  private static final class Counts {
    private final Path proc;
    private final boolean endedChildrenToo;
    private long ticks;
    private long privateKb = ProcessUse.UNKNOWN;
    private long maxFileKb;
    private long maxSharedKb;
    private long readBytes = ProcessUse.UNKNOWN;

    Counts(Path proc, boolean endedChildrenToo) {
      this.proc = proc;
      this.endedChildrenToo = endedChildrenToo;
    }

    /** Adds a process; returns its start, or null if it is gone and nothing was added. */
    String add(long process) {
      Path folder = proc.resolve(Long.toString(process));
      String[] stat = stat(folder);
      if (stat == null) {
        return null;
      }
      ticks += Long.parseLong(stat[USER_TIME]) + Long.parseLong(stat[SYSTEM_TIME]);
      if (endedChildrenToo) {
        ticks +=
            Long.parseLong(stat[ENDED_CHILDREN_USER_TIME])
                + Long.parseLong(stat[ENDED_CHILDREN_SYSTEM_TIME]);
      }
      String status = text(folder.resolve("status"));
      addMemory(status);
      // Not its writes: docs/decisions/0006-telemetry.md.
      readBytes = plus(readBytes, number(text(folder.resolve("io")), "\nread_bytes:"));
      return stat[START_TIME];
    }

    private void addMemory(String status) {
      long anonymousKb = number(status, "\nRssAnon:");
      if (anonymousKb == ProcessUse.UNKNOWN) {
        // A kernel before 4.5, which does not separate shared memory.
        privateKb = plus(privateKb, number(status, "\nVmRSS:"));
        return;
      }
      privateKb = plus(privateKb, anonymousKb);
      maxFileKb = Math.max(maxFileKb, number(status, "\nRssFile:"));
      maxSharedKb = Math.max(maxSharedKb, number(status, "\nRssShmem:"));
    }

    ProcessUse use() {
      return new ProcessUse(
          ticks * NANOS_IN_TICK,
          privateKb == ProcessUse.UNKNOWN
              ? ProcessUse.UNKNOWN
              : (privateKb + maxFileKb + maxSharedKb) * BYTES_IN_KB,
          readBytes);
    }

    private static long plus(long sum, long more) {
      return more == ProcessUse.UNKNOWN ? sum : Math.max(0, sum) + more;
    }
  }

  /**
   * Returns the fields after the command, which may itself contain blanks and brackets; null if it
   * ended.
   */
  private static String[] stat(Path folder) {
    String stat = text(folder.resolve("stat"));
    int end = stat.lastIndexOf(')');
    if (end < 0) {
      return null;
    }
    String[] fields = stat.substring(end + 2).split(" ");
    return fields[0].equals("Z") || fields[0].equals("X") ? null : fields;
  }

  /** Returns the number after a label at the beginning of a line, or {@link ProcessUse#UNKNOWN}. */
  private static long number(String text, String label) {
    int at = text.indexOf(label);
    if (at < 0) {
      return ProcessUse.UNKNOWN;
    }
    int from = at + label.length();
    while (from < text.length() && !Character.isDigit(text.charAt(from))) {
      from++;
    }
    int to = from;
    while (to < text.length() && Character.isDigit(text.charAt(to))) {
      to++;
    }
    return Long.parseLong(text, from, to, 10);
  }

  /** Returns empty if unreadable: the process is gone, or another user's. */
  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
