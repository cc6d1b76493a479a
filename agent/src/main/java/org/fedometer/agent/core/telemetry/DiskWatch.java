package org.fedometer.agent.core.telemetry;

import java.io.File;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.fedometer.agent.core.threads.OwnThreads;

/**
 * Room on the disk of Fedora's home. A file system may hang, so it is asked by a thread of its own,
 * for which nobody waits. The telemetry thread starts, asks, reads and ends it.
 */
final class DiskWatch implements Runnable {

  private final File home;
  private final Thread thread = OwnThreads.daemon("fedometer-disk", this);
  private volatile boolean asked;
  private volatile boolean ended;
  private volatile Room answer;

  DiskWatch(File home) {
    this.home = home;
  }

  static DiskWatch ofFedoraHomeOrNull() {
    String home = System.getProperty("fedora.home", System.getenv("FEDORA_HOME"));
    return home == null || home.trim().isEmpty() ? null : new DiskWatch(new File(home.trim()));
  }

  void start() {
    thread.start();
  }

  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /** Tells what was found since this was called last, if anything, and asks anew. */
  void read(TelemetrySink sink) {
    Room room = answer;
    answer = null;
    if (room != null) {
      sink.value(room.atNanos, "fedora.home.disk.free", "By", room.freeBytes);
      sink.value(room.atNanos, "fedora.home.disk.total", "By", room.totalBytes);
    }
    asked = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!ended) {
      if (asked) {
        asked = false;
        look();
      } else {
        LockSupport.park(this);
      }
    }
  }

  private void look() {
    try {
      long total = home.getTotalSpace();
      long free = home.getUsableSpace();
      if (total > 0) {
        answer = new Room(System.nanoTime(), free, total);
      }
    } catch (OutOfMemoryError full) {
      // The next reading asks anew.
    }
  }

  private static final class Room {
    private final long atNanos;
    private final long freeBytes;
    private final long totalBytes;

    Room(long atNanos, long freeBytes, long totalBytes) {
      this.atNanos = atNanos;
      this.freeBytes = freeBytes;
      this.totalBytes = totalBytes;
    }
  }
}
