package org.fedometer.experiments.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** The operating system's page cache, shared by all processes. Stateless, thread-safe. */
final class LinuxPageCache {
  /** See proc_sys_vm(5). */
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Pages, dentries and inodes. */
  private static final String ALL = "3\n";

  private static final long SYNC_TIMEOUT_SECONDS = 300;

  private LinuxPageCache() {}

  /**
   * Returns whether this user may drop it, as far as known beforehand: root may, outside
   * containers.
   */
  static boolean canBeDropped() {
    return Files.isWritable(DROP);
  }

  /**
   * Writes dirty pages to disk, which are otherwise kept, and drops the cache.
   *
   * @throws IOException with a one-sentence message, if it failed
   */
  static void drop() throws IOException, InterruptedException {
    Process sync = new ProcessBuilder("sync").inheritIO().start();
    try {
      if (!sync.waitFor(SYNC_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("dirty pages were not on disk after " + SYNC_TIMEOUT_SECONDS + " s");
      }
    } finally {
      sync.destroy();
    }
    Files.writeString(DROP, ALL, StandardOpenOption.WRITE);
  }
}
