package org.fedometer.analysis.statistics;

/**
 * Growth of the time per object with the repository: a line through the mean service times of
 * intervals against the number of objects loaded. A run may be fast only because it is short; the
 * slope shows the trend. Immutable, safe on any thread.
 *
 * <p>The intervals are long enough to be nearly independent. Remaining dependence widens the
 * interval by the lag-1 autocorrelation of the residuals, in the standard error and the degrees of
 * freedom, as is usual for climate trends: B. D. Santer and others, "Statistical significance of
 * trends and trend differences in layer-average atmospheric temperature time series", Journal of
 * Geophysical Research 105(D6), 2000.
 *
 * @param fromObjects size of the repository at the start
 * @param toObjects size at the end
 * @param fromNanos time per object on the line at the start
 * @param toNanos time per object on the line at the end
 * @param nanosPerObject slope: nanoseconds of time per object for each further object
 * @param low lower bound of the slope
 * @param high upper bound of the slope
 * @param pValue probability of a slope at least as steep if there were none
 */
public record SizeSlope(
    long fromObjects,
    long toObjects,
    double fromNanos,
    double toNanos,
    double nanosPerObject,
    double low,
    double high,
    double pValue) {

  /** Minimum number of requests for a slope. */
  public static final int MIN_REQUESTS = 20;

  /**
   * @param series the relevant part of a run, without its warm-up
   * @param confidence of the slope's interval, such as 0.95
   * @throws IllegalArgumentException if it has fewer than {@link #MIN_REQUESTS} requests
   */
  public static SizeSlope of(Series series, double confidence) {
    if (series.count() < MIN_REQUESTS) {
      throw new IllegalArgumentException(
          "A slope is told from "
              + MIN_REQUESTS
              + " requests or more, but there are "
              + series.count()
              + ".");
    }
    Intervals intervals = Dependence.nearlyIndependent(series);
    double[] sizes = new double[intervals.size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = series.objectsBefore() + intervals.first(i) + (intervals.count(i) - 1) / 2.0;
    }
    Line line = Line.through(sizes, intervals.means());
    double half = Student.reach(line.standardError(), line.degreesOfFreedom(), confidence);
    long end = series.objectsBefore() + series.count();
    return new SizeSlope(
        series.objectsBefore(),
        end,
        line.at(series.objectsBefore()),
        line.at(end),
        line.slope(),
        line.slope() - half,
        line.slope() + half,
        Student.pValue(line.slope(), line.standardError(), line.degreesOfFreedom()));
  }

  /** Returns the line for a series in which each request is the mean of this number of objects. */
  public SizeSlope ofRequestsOf(long objects) {
    return new SizeSlope(
        fromObjects * objects,
        toObjects * objects,
        fromNanos,
        toNanos,
        nanosPerObject / objects,
        low / objects,
        high / objects,
        pValue);
  }

  /**
   * Returns the change of the time per object over the range, relative to its middle: 0.1 is 10 %
   * slower at the end.
   */
  public double relativeChange() {
    return 2 * (toNanos - fromNanos) / (toNanos + fromNanos);
  }
}
