package org.fedometer.analysis.statistics;

/**
 * The end of a run's warm-up, detected in its service times by MSER-5, or given. The only such
 * rule: reports, comparisons and pages cut exactly these objects. Pure, safe on any thread.
 *
 * <p>MSER-5 splits the series into batches of five observations and drops leading batches to
 * minimize the squared standard error of the mean of the rest: {@code sum((y[i] - mean)^2) / (n -
 * d)^2} over the {@code n - d} batches kept. Sources: K. P. White, "An effective truncation
 * heuristic for bias reduction in simulation output", Simulation 69(6), 1997; S. C. Spratt,
 * "Heuristics for the startup problem", University of Virginia, 1998 (the batches of five).
 *
 * <p>A truncation point in the second half means that the series is too short for its warm-up;
 * nothing is cut then. The last {@link #PROTECTED_BATCHES} batches are never cut, since the
 * statistic of few similar batches is close to zero (K. Hoad, S. Robinson and R. Davies,
 * "Automating warm-up length estimation", JORS 61, 2010).
 *
 * @param coldObjects number of warm-up objects, in order of completion; 0 for none, and if the run
 *     never settled or is too short
 */
public record WarmUp(Verdict verdict, long coldObjects) {

  /** Observations in a batch: the five of MSER-5. */
  public static final int BATCH_OBJECTS = 5;

  /** Minimum number of batches for a verdict. */
  public static final int MIN_BATCHES = 20;

  /** Batches at the end which the truncation point must leave. */
  static final int PROTECTED_BATCHES = 5;

  public enum Verdict {
    /** The best truncation point is in the first half: the rest counts as warm. */
    SETTLED,
    /**
     * The best truncation point is in the second half: the run never settled, and no part of it
     * counts as warm.
     */
    NOT_SETTLED,
    /** A number of objects set by an experiment or a user. */
    GIVEN,
    /** Too few objects. */
    TOO_SHORT
  }

  public WarmUp {
    if (coldObjects < 0) {
      throw new IllegalArgumentException("coldObjects is " + coldObjects + ", must be 0 or more");
    }
  }

  /**
   * Detects the end of the warm-up.
   *
   * @param batchMeans means of {@link #BATCH_OBJECTS} consecutive observations each, in any unit,
   *     finite; without an incomplete last batch
   * @param objects total number of observations, including an incomplete last batch
   */
  public static WarmUp of(double[] batchMeans, long objects) {
    if (objects / BATCH_OBJECTS != batchMeans.length) {
      throw new IllegalArgumentException(
          objects
              + " observations make "
              + objects / BATCH_OBJECTS
              + " batches of "
              + BATCH_OBJECTS
              + ", but "
              + batchMeans.length
              + " were given");
    }
    if (batchMeans.length < MIN_BATCHES) {
      return new WarmUp(Verdict.TOO_SHORT, 0);
    }
    int truncated = truncationPoint(batchMeans);
    if (2L * truncated > batchMeans.length) {
      return new WarmUp(Verdict.NOT_SETTLED, 0);
    }
    return new WarmUp(Verdict.SETTLED, (long) truncated * BATCH_OBJECTS);
  }

  public static WarmUp of(Series series) {
    double[] means = new double[series.count() / BATCH_OBJECTS];
    for (int batch = 0; batch < means.length; batch++) {
      double sum = 0;
      for (int i = 0; i < BATCH_OBJECTS; i++) {
        sum += series.durationNanos(batch * BATCH_OBJECTS + i);
      }
      means[batch] = sum / BATCH_OBJECTS;
    }
    return of(means, series.count());
  }

  /**
   * Sets the number of warm-up objects, regardless of the times.
   *
   * @param coldObjects at least 0; limited to those of the run
   * @param objects of the whole run
   */
  public static WarmUp given(long coldObjects, long objects) {
    return new WarmUp(Verdict.GIVEN, Math.min(coldObjects, objects));
  }

  /** Returns the same warm-up for a series whose entries are this number of objects each. */
  public WarmUp inEntriesOf(double objects) {
    return new WarmUp(verdict, (long) Math.ceil(coldObjects / objects));
  }

  /**
   * Returns the number of leading batches that MSER drops; the earliest of equal minima. Runs
   * backwards with Welford's update: one pass without cancellation.
   */
  static int truncationPoint(double[] batchMeans) {
    int best = 0;
    double smallest = Double.POSITIVE_INFINITY;
    double mean = 0;
    double squaredDeviations = 0;
    for (int d = batchMeans.length - 1; d >= 0; d--) {
      int kept = batchMeans.length - d;
      double deviation = batchMeans[d] - mean;
      mean += deviation / kept;
      squaredDeviations += deviation * (batchMeans[d] - mean);
      double statistic = squaredDeviations / ((double) kept * kept);
      if (kept >= PROTECTED_BATCHES && statistic <= smallest) {
        smallest = statistic;
        best = d;
      }
    }
    return best;
  }
}
