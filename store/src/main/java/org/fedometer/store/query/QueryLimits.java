package org.fedometer.store.query;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * What a question may use of the machine.
 *
 * @param memoryBytes then it goes to disk
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

  /**
   * For a command of its own: all processors; 1 GB, or half of the machine's memory or of its
   * container's if that is less.
   */
  public static QueryLimits local() {
    return local(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }

  /**
   * @param allBytes that the JVM knows of; not above 0 where it knows of none, which is then taken
   *     for little
   */
  static QueryLimits local(long allBytes) {
    return new QueryLimits(
        Math.min(LOCAL_MEMORY_BYTES, (allBytes > 0 ? allBytes : LOCAL_MEMORY_BYTES) / 2),
        Runtime.getRuntime().availableProcessors(),
        Path.of(System.getProperty("java.io.tmpdir")),
        0);
  }
}
