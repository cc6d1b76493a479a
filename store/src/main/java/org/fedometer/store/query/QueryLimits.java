package org.fedometer.store.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a question may use of the machine.
 *
 * @param memoryBytes then it goes to disk
 * @param threads at once
 * @param spillParent where a directory for what does not fit into memory is made, and removed
 * @param spillBytes how large that may grow, 0 for most of what the disk has left
 */
public record QueryLimits(long memoryBytes, int threads, Path spillParent, long spillBytes) {
  private static final long LOCAL_MEMORY_BYTES = 1L << 30;

  public QueryLimits {
    if (memoryBytes < 1 || threads < 1 || spillBytes < 0) {
      throw new IllegalArgumentException(
          "A question needs memory and a thread: not %d bytes, %d threads, %d bytes of disk"
              .formatted(memoryBytes, threads, spillBytes));
    }
  }

  /** For a command of its own: all processors, 1 GB or half of the machine, what is less. */
  public static QueryLimits local() {
    return new QueryLimits(
        Math.min(LOCAL_MEMORY_BYTES, machineMemoryBytes() / 2),
        Runtime.getRuntime().availableProcessors(),
        Path.of(System.getProperty("java.io.tmpdir")),
        0);
  }

  /** As Linux says; elsewhere it is taken for small. */
  private static long machineMemoryBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemTotal:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(LOCAL_MEMORY_BYTES);
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      return LOCAL_MEMORY_BYTES;
    }
  }
}
