package org.fedometer.driver.load;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.fedometer.driver.request.Latency;

/**
 * Service times of about the last minute, within 1 %. Recording and reading are thread-safe; one
 * thread rotates.
 */
public final class RecentLatency {

  private static final long MAX_MICROS = Latency.MAX_MICROS;
  private static final int DIGITS = 2;
  private static final int SLICES = 6;
  private static final long SLICE_NANOS = 10_000_000_000L;

  private final Recorder micros = new Recorder(MAX_MICROS, DIGITS);
  private final Histogram[] slices = new Histogram[SLICES];
  private final Histogram sum = new Histogram(MAX_MICROS, DIGITS);
  private int rotations;
  private long rotatedNanos;
  private volatile Latency recent;

  /**
   * @param nanos service time of one request, capped at a day
   */
  public void record(long nanos) {
    micros.recordValue(Math.min(nanos / 1000, MAX_MICROS));
  }

  /** Begins another slice if the current one is ten seconds old. */
  public void rotateIfDue(long nanos) {
    if (rotations == 0 && rotatedNanos == 0) {
      rotatedNanos = nanos;
    }
    if (nanos - rotatedNanos < SLICE_NANOS) {
      return;
    }
    rotatedNanos = nanos;
    int slot = rotations++ % SLICES;
    slices[slot] = micros.getIntervalHistogram(slices[slot]);
    sum.reset();
    for (Histogram slice : slices) {
      if (slice != null) {
        sum.add(slice);
      }
    }
    recent = Latency.ofMicros(sum);
  }

  /** Returns the latency of the complete slices; null in the first ten seconds. */
  public Latency recent() {
    return recent;
  }
}
