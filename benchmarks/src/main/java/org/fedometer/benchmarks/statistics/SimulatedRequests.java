package org.fedometer.benchmarks.statistics;

import java.util.random.RandomGenerator;
import org.fedometer.analysis.statistics.Series;

/**
 * Log-normal service times of one worker without pauses, with a first-order autoregression behind
 * them.
 *
 * @param autocorrelation lag-1 autocorrelation of the service times, from 0 to below 1
 * @param spread standard deviation of their logarithm
 */
record SimulatedRequests(double autocorrelation, double spread) {
  private static final double MEDIAN_NANOS = 20e6;

  /** A run whose times are so many times those of others. */
  Series run(int requests, double scale, RandomGenerator random) {
    long[] durations = durations(requests, random);
    for (int i = 0; i < requests; i++) {
      durations[i] = Math.round(durations[i] * scale);
    }
    return closedModel(durations);
  }

  long[] durations(int requests, RandomGenerator random) {
    // So much of the logarithm's value must stay for times to have the autocorrelation asked for.
    double variance = spread * spread;
    double persistence = Math.log1p(autocorrelation * Math.expm1(variance)) / variance;
    double innovation = Math.sqrt(1 - persistence * persistence);
    double state = random.nextGaussian();
    long[] durations = new long[requests];
    for (int i = 0; i < requests; i++) {
      durations[i] = Math.round(MEDIAN_NANOS * Math.exp(spread * state));
      state = persistence * state + innovation * random.nextGaussian();
    }
    return durations;
  }

  static Series closedModel(long[] durations) {
    long[] starts = new long[durations.length];
    for (int i = 1; i < durations.length; i++) {
      starts[i] = starts[i - 1] + durations[i - 1];
    }
    return Series.of(starts, durations);
  }
}
