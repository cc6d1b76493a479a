package org.fedometer.experiments.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What a disk has left, and when it will be full if it goes on like in the last hour. Asks the disk
 * once a second at most. Used by one thread.
 */
public final class DiskWatch {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long SPACING_NANOS = 60 * SECOND_NANOS;
  private static final int KEPT = 61;

  /** Less says nothing: a database writes in bursts. */
  private static final long SHORTEST_NANOS = 120 * SECOND_NANOS;

  private final LongSupplier leftBytes;
  private final long[] nanos = new long[KEPT];
  private final long[] left = new long[KEPT];
  private int noted;
  private boolean asked;
  private long askedNanos;
  private long now;

  public DiskWatch(LongSupplier leftBytes) {
    this.leftBytes = leftBytes;
  }

  /** Of the folder's disk; null where that cannot be seen. */
  public static DiskWatch of(Path folder) {
    try {
      return new DiskWatch(Disk.leftBytes(folder));
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * @param fullInSeconds or -1 where it does not fill up, or it cannot be told yet
   */
  public record Forecast(long leftBytes, long fullInSeconds) {}

  /** The time is by {@code System.nanoTime()}. */
  public Forecast look(long atNanos) {
    if (!asked || atNanos - askedNanos >= SECOND_NANOS) {
      asked = true;
      askedNanos = atNanos;
      now = leftBytes.getAsLong();
    }
    if (noted == 0 || atNanos - nanos[(noted - 1) % KEPT] >= SPACING_NANOS) {
      nanos[noted % KEPT] = atNanos;
      left[noted % KEPT] = now;
      noted++;
    }
    int oldest = noted <= KEPT ? 0 : noted % KEPT;
    long span = atNanos - nanos[oldest];
    long used = left[oldest] - now;
    return new Forecast(
        now,
        span < SHORTEST_NANOS || used <= 0
            ? -1
            : (long) Math.min(1e15, (double) now / used * span / SECOND_NANOS));
  }
}
