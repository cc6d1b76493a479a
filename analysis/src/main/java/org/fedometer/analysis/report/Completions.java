package org.fedometer.analysis.report;

import java.util.Arrays;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WarmUp;

/**
 * Service times of a run's ingests in order of completion, individually if few, otherwise as means
 * of five. One thread.
 *
 * @param objectsEach ingests per entry: 1, or {@link WarmUp#BATCH_OBJECTS}; an incomplete last
 *     entry is omitted
 * @param meanNanos service time, nanoseconds
 * @param endNanos completion of an entry's last ingest, nanoTime, never decreasing
 */
record Completions(int objectsEach, double[] meanNanos, long[] endNanos) {

  /** More points do not improve a slope. */
  private static final int MAX_POINTS = 20_000;

  /** Returns the number of ingests per entry. */
  static int objectsEach(long ingests) {
    return ingests <= MAX_POINTS ? 1 : WarmUp.BATCH_OBJECTS;
  }

  WarmUp warmUp(long ingests) {
    return WarmUp.of(means(WarmUp.BATCH_OBJECTS / objectsEach), ingests);
  }

  /**
   * Returns the growth of the time per object with the repository; null if the run is too short, or
   * if it never settled because it got faster or jumped.
   *
   * @param warmUp of the run, which is excluded
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
    SteadyState run =
        SteadyState.of(
            Series.of(starts, durations),
            warmUp.inEntriesOf((double) together * objectsEach),
            Comparison.DEFAULT_THRESHOLD,
            Resampling.DEFAULT.seed());
    boolean neverSettled =
        warmUp.verdict() == WarmUp.Verdict.NOT_SETTLED
            && (run.state() == SteadyState.State.NEVER_STEADY
                || run.state() == SteadyState.State.SEVERAL_REGIMES);
    return run.slope() == null || neverSettled
        ? null
        : run.slope().ofRequestsOf((long) together * objectsEach);
  }

  private double[] means(int together) {
    double[] means = new double[meanNanos.length / together];
    Arrays.setAll(
        means,
        i -> Arrays.stream(meanNanos, i * together, (i + 1) * together).average().orElseThrow());
    return means;
  }
}
