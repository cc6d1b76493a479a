package org.fedometer.analysis.statistics;

import java.util.random.RandomGenerator;

/**
 * Log-normal service times of one worker that sends its next request when the last is answered,
 * with a first-order autoregression behind them.
 *
 * @param autocorrelation lag-1 autocorrelation of the service times, from 0 to below 1
 * @param spread standard deviation of their logarithm
 */
record SimulatedRun(double autocorrelation, double spread) {
  static final double MEDIAN_NANOS = 20e6;

  /**
   * Draws a run.
   *
   * @param scale the median is so many times {@link #MEDIAN_NANOS}
   */
  Series draw(int requests, double scale, RandomGenerator random) {
    long[] durations = durations(requests, random);
    for (int i = 0; i < requests; i++) {
      durations[i] = Math.round(durations[i] * scale);
    }
    return closedModel(durations);
  }

  long[] durations(int requests, RandomGenerator random) {
    // So much of the logarithm's value must stay for times to have the autocorrelation asked for.
    double variance = spread * spread;
    double stays = Math.log1p(autocorrelation * Math.expm1(variance)) / variance;
    double comes = Math.sqrt(1 - stays * stays);
    double state = random.nextGaussian();
    long[] durations = new long[requests];
    for (int i = 0; i < requests; i++) {
      durations[i] = Math.round(MEDIAN_NANOS * Math.exp(spread * state));
      state = stays * state + comes * random.nextGaussian();
    }
    return durations;
  }

  /** Requests that follow one another without a pause. */
  static Series closedModel(long[] durations) {
    long[] starts = new long[durations.length];
    for (int i = 1; i < durations.length; i++) {
      starts[i] = starts[i - 1] + durations[i - 1];
    }
    return Series.of(starts, durations);
  }
}
