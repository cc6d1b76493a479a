package org.fedometer.driver.load;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.fedometer.driver.request.Latency;

/**
 * Service times of the last minute or so, within 1 %. Workers record; one thread turns it over, any
 * reads.
 */
public final class RecentLatency {

  private static final long LONGEST_MICROS = Latency.LONGEST_MICROS;
  private static final int DIGITS = 2;
  private static final int SLICES = 6;
  private static final long SLICE_NANOS = 10_000_000_000L;

  private final Recorder micros = new Recorder(LONGEST_MICROS, DIGITS);
  private final Histogram[] slices = new Histogram[SLICES];
  private final Histogram sum = new Histogram(LONGEST_MICROS, DIGITS);
  private int turns;
  private long turnedNanos;
  private volatile Latency lately;

  /**
   * @param nanos service time of one request; longer than a day counts as a day
   */
  public void record(long nanos) {
    micros.recordValue(Math.min(nanos / 1000, LONGEST_MICROS));
  }

  /** Begins another slice if the present one is ten seconds old. */
  public void turnIfDue(long nanos) {
    if (turns == 0 && turnedNanos == 0) {
      turnedNanos = nanos;
    }
    if (nanos - turnedNanos < SLICE_NANOS) {
      return;
    }
    turnedNanos = nanos;
    int slot = turns++ % SLICES;
    slices[slot] = micros.getIntervalHistogram(slices[slot]);
    sum.reset();
    for (Histogram slice : slices) {
      if (slice != null) {
        sum.add(slice);
      }
    }
    lately = Latency.ofMicros(sum);
  }

  /** Of the slices that are complete; null in the first ten seconds. */
  public Latency lately() {
    return lately;
  }
}
