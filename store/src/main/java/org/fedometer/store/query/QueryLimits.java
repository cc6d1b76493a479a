package org.fedometer.store.query;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * Limits of a query's resources.
 *
 * @param memoryBytes limit beyond which it spills to disk
 * @param spillParent parent of the spill folder, which is created and removed
 * @param spillBytes limit of the spill folder, 0 for most of the free disk space
 */
public record QueryLimits(long memoryBytes, int threads, Path spillParent, long spillBytes) {
  private static final long LOCAL_MEMORY_BYTES = 1L << 30;

  public QueryLimits {
    if (memoryBytes < 1 || threads < 1 || spillBytes < 0) {
      throw new IllegalArgumentException(
          "A query needs memory and a thread, not %d bytes, %d threads, %d bytes of disk"
              .formatted(memoryBytes, threads, spillBytes));
    }
  }

  /**
   * Returns limits for a command: all processors; 1 GB, or half of the memory of the machine or
   * container if that is less.
   */
  public static QueryLimits local() {
    return local(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }

  /**
   * @param allBytes memory known to the JVM; if not positive, unknown and assumed to be small
   */
  static QueryLimits local(long allBytes) {
    return new QueryLimits(
        Math.min(LOCAL_MEMORY_BYTES, (allBytes > 0 ? allBytes : LOCAL_MEMORY_BYTES) / 2),
        Runtime.getRuntime().availableProcessors(),
        Path.of(System.getProperty("java.io.tmpdir")),
        0);
  }
}
