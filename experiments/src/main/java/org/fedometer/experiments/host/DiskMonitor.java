package org.fedometer.experiments.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Free space of a disk, and when it will be full at the rate of the last hour. Reads the disk at
 * most once a second. Not thread-safe.
 */
public final class DiskMonitor {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long SAMPLE_INTERVAL_NANOS = 60 * SECOND_NANOS;
  private static final int SAMPLES = 61;

  /** Shorter periods are meaningless, since a database writes in bursts. */
  private static final long MIN_SPAN_NANOS = 120 * SECOND_NANOS;

  private final LongSupplier availableBytes;
  private final long[] nanos = new long[SAMPLES];
  private final long[] availableSamples = new long[SAMPLES];
  private int sampleCount;
  private boolean hasReading;
  private long readNanos;
  private long currentBytes;

  public DiskMonitor(LongSupplier availableBytes) {
    this.availableBytes = availableBytes;
  }

  /** Returns a monitor of the folder's disk; null if not visible. */
  public static DiskMonitor of(Path folder) {
    try {
      return new DiskMonitor(Disk.availableBytes(folder));
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * @param fullInSeconds or -1 if it does not fill up, or that is unknown yet
   */
  public record Forecast(long availableBytes, long fullInSeconds) {}

  /**
   * @param atNanos {@code System.nanoTime()}
   */
  public Forecast forecast(long atNanos) {
    if (!hasReading || atNanos - readNanos >= SECOND_NANOS) {
      hasReading = true;
      readNanos = atNanos;
      currentBytes = availableBytes.getAsLong();
    }
    if (sampleCount == 0 || atNanos - nanos[(sampleCount - 1) % SAMPLES] >= SAMPLE_INTERVAL_NANOS) {
      nanos[sampleCount % SAMPLES] = atNanos;
      availableSamples[sampleCount % SAMPLES] = currentBytes;
      sampleCount++;
    }
    int oldest = sampleCount <= SAMPLES ? 0 : sampleCount % SAMPLES;
    long span = atNanos - nanos[oldest];
    long used = availableSamples[oldest] - currentBytes;
    return new Forecast(
        currentBytes,
        span < MIN_SPAN_NANOS || used <= 0
            ? -1
            : (long) Math.min(1e15, (double) currentBytes / used * span / SECOND_NANOS));
  }
}
