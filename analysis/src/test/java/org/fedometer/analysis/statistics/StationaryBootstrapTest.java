package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StationaryBootstrapTest {

  /**
   * Held against the variance that the resampled mean has exactly, given the series (Politis and
   * Romano 1994): {@code 1/n (C(0) + 2 sum_{i<n} (1 - i/n) (1 - 1/b)^i C(i))} with the circular
   * autocovariances C of the series. With 8,000 repetitions the standard error is off by 0.8 %.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1, 5, 20, 60})
  void theResampledMeanVariesAsTheoryHasIt(double blockLength) {
    double[] series = ReferenceSeries.autoregression(400, 0.7);
    double[] means =
        new StationaryBootstrap(series.length, blockLength, new Resampling(8_000, 42))
            .repeat(weights -> mean(weights, series));

    double mean = Arrays.stream(means).average().orElseThrow();
    double variance =
        Arrays.stream(means).map(x -> (x - mean) * (x - mean)).sum() / (means.length - 1);
    assertThat(Math.sqrt(variance / exactVariance(series, blockLength))).isCloseTo(1, within(0.03));
  }

  @Test
  void aResampleHasAsManyObservationsAsTheSeries() {
    StationaryBootstrap bootstrap = new StationaryBootstrap(137, 9.5, new Resampling(100, 7));
    for (int repetition = 0; repetition < 100; repetition++) {
      assertThat(Arrays.stream(bootstrap.weights(repetition)).sum()).isEqualTo(137);
    }
  }

  @Test
  void isTheSameWhateverTheNumberOfThreads() throws Exception {
    double[] series = ReferenceSeries.autoregression(300, 0.5);
    StationaryBootstrap bootstrap = new StationaryBootstrap(300, 12, new Resampling(500, 3));
    double[] here = bootstrap.repeat(weights -> mean(weights, series));
    for (int threads : new int[] {1, 2, 5}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        double[] there =
            pool.submit(() -> bootstrap.repeat(weights -> mean(weights, series))).get();
        assertThat(there).isEqualTo(here);
      } finally {
        pool.shutdown();
      }
    }
  }

  @Test
  void anotherSeedDrawsOtherResamples() {
    int[] first = new StationaryBootstrap(300, 5, new Resampling(100, 1)).weights(0);
    assertThat(new StationaryBootstrap(300, 5, new Resampling(100, 2)).weights(0))
        .isNotEqualTo(first);
    assertThat(new StationaryBootstrap(300, 5, new Resampling(100, 1)).weights(1))
        .isNotEqualTo(first);
  }

  @Test
  void refusesTooFewRepetitions() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Resampling(10, 1))
        .withMessageContaining("100 repetitions or more, but is to do 10");
  }

  private static double mean(int[] weights, double[] series) {
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] * series[i];
    }
    return sum / weights.length;
  }

  private static double exactVariance(double[] series, double blockLength) {
    int n = series.length;
    double mean = Arrays.stream(series).average().orElseThrow();
    double sum = 0;
    for (int lag = 0; lag < n; lag++) {
      double covariance = 0;
      for (int i = 0; i < n; i++) {
        covariance += (series[i] - mean) * (series[(i + lag) % n] - mean) / n;
      }
      double share = (1 - (double) lag / n) * Math.pow(1 - 1 / blockLength, lag);
      sum += (lag == 0 ? 1 : 2) * share * covariance;
    }
    return sum / n;
  }
}
