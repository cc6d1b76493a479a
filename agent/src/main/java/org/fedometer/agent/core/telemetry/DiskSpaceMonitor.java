package org.fedometer.agent.core.telemetry;

import java.io.File;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.fedometer.agent.core.threads.DaemonThreads;

/**
 * Free space on the disk of Fedora's home. A separate thread queries it, since a file system may
 * hang. The telemetry thread starts, reads and ends it.
 */
final class DiskSpaceMonitor implements Runnable {

  private final File home;
  private final Thread thread = DaemonThreads.daemon("fedometer-disk", this);
  private volatile boolean requested;
  private volatile boolean ended;
  private volatile DiskSpace latest;

  DiskSpaceMonitor(File home) {
    this.home = home;
  }

  static DiskSpaceMonitor ofFedoraHomeOrNull() {
    String home = System.getProperty("fedora.home", System.getenv("FEDORA_HOME"));
    return home == null || home.trim().isEmpty()
        ? null
        : new DiskSpaceMonitor(new File(home.trim()));
  }

  void start() {
    thread.start();
  }

  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /** Emits the result since the last call, if any, and requests a new one. */
  void read(TelemetrySink sink) {
    DiskSpace space = latest;
    latest = null;
    if (space != null) {
      sink.value(space.atNanos, "fedora.home.disk.free", "By", space.freeBytes);
      sink.value(space.atNanos, "fedora.home.disk.total", "By", space.totalBytes);
    }
    requested = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!ended) {
      if (requested) {
        requested = false;
        measure();
      } else {
        LockSupport.park(this);
      }
    }
  }

  private void measure() {
    try {
      long total = home.getTotalSpace();
      long free = home.getUsableSpace();
      if (total > 0) {
        latest = new DiskSpace(System.nanoTime(), free, total);
      }
    } catch (OutOfMemoryError full) {
      // The next reading retries.
    }
  }

  private static final class DiskSpace {
    private final long atNanos;
    private final long freeBytes;
    private final long totalBytes;

    DiskSpace(long atNanos, long freeBytes, long totalBytes) {
      this.atNanos = atNanos;
      this.freeBytes = freeBytes;
      this.totalBytes = totalBytes;
    }
  }
}
