package org.fedometer.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The metrics of one run and their uncertainty within it, by the stationary bootstrap over at most
 * 1,000 intervals. Excludes differences to other runs of the same profile. Immutable, safe on any
 * thread.
 *
 * <p>Each metric's block length is chosen from the series that causes its variation: the intervals'
 * mean service times, their elapsed times, or their shares of requests up to the percentile. Blocks
 * are half as long again as {@link BlockLength}, which minimizes the squared error of the variance,
 * whereas too small a variance harms intervals more (Y. Sun, P. C. B. Phillips and S. Jin, "Optimal
 * bandwidth selection in heteroskedasticity-autocorrelation robust testing", Econometrica 76(1),
 * 2008). They are at least the cube root of the number of intervals, the growth rate of the best
 * length, since undetectable dependence still counts.
 *
 * <p>The bootstrap yields the standard error of the metric's logarithm. With blocks of mean length
 * b out of n intervals, its square is too small by a share of about {@code sqrt(b / n)}, which
 * follows from the formula of the block length (the bias is {@code G / b}) and is corrected. It
 * varies like that of {@code n / b} observations (its relative variance is {@code 2 b / n}), so
 * bounds are those of Student's t with that many degrees of freedom.
 *
 * @param errors one for each metric, in the order of {@link Metric}
 */
public record WithinRun(RunStatistics statistics, List<MetricError> errors) {

  /** Minimum number of requests to estimate variation. */
  public static final int MIN_REQUESTS = 20;

  private static final int MAX_INTERVALS = 1_000;

  /** Factor to the block length with the minimum squared error of the variance. */
  private static final double FOR_COVERAGE = 1.5;

  /**
   * Uncertainty of a metric.
   *
   * @param logStandardError standard error of its natural logarithm; about the relative error
   * @param degreesOfFreedom precision of that error, at least 1
   * @param blockRequests mean length of the blocks drawn, in requests
   */
  public record MetricError(
      Metric metric, double logStandardError, double degreesOfFreedom, double blockRequests) {}

  public WithinRun {
    Objects.requireNonNull(statistics);
    errors = List.copyOf(errors);
  }

  /**
   * @param series the relevant part of a run, without its warm-up
   * @throws IllegalArgumentException if it has fewer than {@link #MIN_REQUESTS} requests
   */
  public static WithinRun of(Series series, Resampling resampling) {
    if (series.count() < MIN_REQUESTS) {
      throw new IllegalArgumentException(
          "Variation within a run is told from "
              + MIN_REQUESTS
              + " requests or more, but there are "
              + series.count()
              + ".");
    }
    Intervals intervals = series.intervals(MAX_INTERVALS);
    BlockHistograms histograms = new BlockHistograms(series, intervals);
    RunStatistics statistics = RunStatistics.of(series);
    List<MetricError> errors = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      errors.add(error(metric, statistics, intervals, histograms, resampling));
    }
    return new WithinRun(statistics, errors);
  }

  private static MetricError error(
      Metric metric,
      RunStatistics statistics,
      Intervals intervals,
      BlockHistograms histograms,
      Resampling resampling) {
    int size = intervals.size();
    double blockLength = blockLength(variation(metric, intervals, histograms));
    StationaryBootstrap bootstrap = new StationaryBootstrap(size, blockLength, resampling);
    double[] logarithms =
        bootstrap.repeat(
            weights ->
                statistics.logarithmForError(
                    metric, figure(metric, weights, intervals, histograms)));
    double bias = 1 / (1 - Math.sqrt(blockLength / size));
    double requestsPerInterval = (double) intervals.first(size) / size;
    return new MetricError(
        metric,
        Math.sqrt(MeanDifference.variance(logarithms) * bias),
        Math.max(1, size / blockLength),
        blockLength * requestsPerInterval);
  }

  /** Returns the mean length of the blocks, in intervals. */
  private static double blockLength(double[] variation) {
    int size = variation.length;
    double longer = Math.min(FOR_COVERAGE * BlockLength.stationary(variation), size / 3.0);
    return Math.max(Math.cbrt(size), longer);
  }

  /** Returns, by interval, the values that cause a metric's variation. */
  private static double[] variation(
      Metric metric, Intervals intervals, BlockHistograms histograms) {
    return switch (metric) {
      case THROUGHPUT -> {
        double[] perRequest = new double[intervals.size()];
        for (int i = 0; i < perRequest.length; i++) {
          perRequest[i] = intervals.elapsedNanos(i) / intervals.count(i);
        }
        yield perRequest;
      }
      case MEAN -> intervals.means();
      case P50, P95, P99 -> histograms.sharesUpTo(share(metric));
    };
  }

  private static double figure(
      Metric metric, int[] weights, Intervals intervals, BlockHistograms histograms) {
    double requests = 0;
    double nanos = 0;
    switch (metric) {
      case THROUGHPUT -> {
        for (int i = 0; i < weights.length; i++) {
          requests += (double) weights[i] * intervals.count(i);
          nanos += weights[i] * intervals.elapsedNanos(i);
        }
        return requests * 1e9 / nanos;
      }
      case MEAN -> {
        for (int i = 0; i < weights.length; i++) {
          requests += (double) weights[i] * intervals.count(i);
          nanos += weights[i] * intervals.sumNanos(i);
        }
        return nanos / requests;
      }
      default -> {
        return histograms.percentile(weights, share(metric));
      }
    }
  }

  private static double share(Metric percentile) {
    return switch (percentile) {
      case P50 -> 0.50;
      case P95 -> 0.95;
      case P99 -> 0.99;
      case THROUGHPUT, MEAN -> throw new IllegalArgumentException(percentile + " is no percentile");
    };
  }

  public MetricError error(Metric metric) {
    return errors.get(metric.ordinal());
  }

  /**
   * Returns the interval of a metric, in its unit.
   *
   * @param confidence between 0 and 1, such as 0.95
   */
  public Bounds bounds(Metric metric, double confidence) {
    MetricError error = error(metric);
    double half = Student.reach(error.logStandardError(), error.degreesOfFreedom(), confidence);
    Bounds possible = statistics.possible(metric);
    return new Bounds(possible.low() * Math.exp(-half), possible.high() * Math.exp(half));
  }
}
