package org.fedometer.experiments.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * The operating system's copy of what was read from disks, for all processes of the machine.
 * Stateless; any thread.
 */
final class LinuxPageCache {
  /** See proc_sys_vm(5). */
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Pages, and what is kept of folders and files. */
  private static final String ALL = "3\n";

  private static final long SYNC_TIMEOUT_SECONDS = 300;

  private LinuxPageCache() {}

  /**
   * Whether this user may, as far as can be told without doing it; root may, outside containers.
   */
  static boolean canBeDropped() {
    return Files.isWritable(DROP);
  }

  /**
   * Writes out what is not on disk yet, which is not dropped otherwise, and drops the rest.
   *
   * @throws IOException one sentence: it could not be done
   */
  static void drop() throws IOException, InterruptedException {
    Process sync = new ProcessBuilder("sync").inheritIO().start();
    try {
      if (!sync.waitFor(SYNC_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "what is in memory was not on disk after " + SYNC_TIMEOUT_SECONDS + " s");
      }
    } finally {
      sync.destroy();
    }
    Files.writeString(DROP, ALL, StandardOpenOption.WRITE);
  }
}
