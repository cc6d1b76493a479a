package org.fedometer.analysis.report;

import java.util.Arrays;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WarmUp;

/**
 * Service times of a run's ingests in the order in which they were answered, one by one where they
 * are few, else means of five. One thread.
 *
 * @param objectsEach how many ingests an entry stands for: 1, or {@link WarmUp#BATCH_OBJECTS}; an
 *     incomplete last one is left out
 * @param meanNanos service time, nanoseconds
 * @param endNanos when the last ingest of an entry was answered, nanoTime, never less than before
 */
record Completions(int objectsEach, double[] meanNanos, long[] endNanos) {

  /** More points than this show nothing more of a slope. */
  private static final int MAX_POINTS = 20_000;

  /** How many ingests an entry is to stand for, where there are so many of them. */
  static int objectsEach(long ingests) {
    return ingests <= MAX_POINTS ? 1 : WarmUp.BATCH_OBJECTS;
  }

  WarmUp warmUp(long ingests) {
    return WarmUp.of(means(WarmUp.BATCH_OBJECTS / objectsEach), ingests);
  }

  /**
   * How the time per object grows with the repository; null where the run is too short to tell.
   *
   * @param warmUp of the run, which is left out
   */
  SizeSlope growth(WarmUp warmUp) {
    if (meanNanos.length == 0) {
      return null;
    }
    int together = (meanNanos.length + MAX_POINTS - 1) / MAX_POINTS;
    double[] means = means(together);
    long[] starts = new long[means.length];
    long[] durations = new long[means.length];
    for (int i = 0; i < means.length; i++) {
      durations[i] = Math.round(means[i]);
      starts[i] = endNanos[(i + 1) * together - 1] - durations[i];
    }
    SizeSlope slope =
        SteadyState.of(
                Series.of(starts, durations),
                warmUp.inEntriesOf((double) together * objectsEach),
                Comparison.DEFAULT_THRESHOLD,
                Resampling.DEFAULT.seed())
            .slope();
    return slope == null ? null : slope.ofRequestsOf((long) together * objectsEach);
  }

  private double[] means(int together) {
    double[] means = new double[meanNanos.length / together];
    Arrays.setAll(
        means,
        i -> Arrays.stream(meanNanos, i * together, (i + 1) * together).average().orElseThrow());
    return means;
  }
}
