package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WithinRunTest {

  /**
   * Compares with the asymptotic errors of independent log-normal times. That of the mean is {@code
   * sqrt((e^s2 - 1) / n)} relative to it. That of a percentile is {@code sqrt(p (1 - p) / n) /
   * (density x value)}, where density times value is the normal density of the percentile over s.
   * Estimates are a little larger, since they allow for undetectable dependence.
   */
  @Test
  void errorsOfIndependentRequestsAreThoseOfTheTextbooks() {
    int requests = 200_000;
    double spread = 0.4;
    WithinRun run =
        WithinRun.of(
            new SimulatedRun(0, spread).draw(requests, 1, new SplittableRandom(1)),
            new Resampling(2_000, 9));

    double ofMean = Math.sqrt(Math.expm1(spread * spread) / requests);
    assertThat(run.error(Metric.MEAN).logStandardError() / ofMean).isBetween(0.9, 1.2);
    // With one worker without pauses, throughput is one over the mean.
    assertThat(run.error(Metric.THROUGHPUT).logStandardError() / ofMean).isBetween(0.9, 1.2);
    double[] normalDensities = {0.398942, 0.103136, 0.026652};
    double[] shares = {0.5, 0.95, 0.99};
    Metric[] percentiles = {Metric.P50, Metric.P95, Metric.P99};
    for (int i = 0; i < shares.length; i++) {
      double expected =
          Math.sqrt(shares[i] * (1 - shares[i]) / requests) * spread / normalDensities[i];
      assertThat(run.error(percentiles[i]).logStandardError() / expected)
          .as("%s", percentiles[i])
          .isBetween(0.9, 1.2);
    }
  }

  /**
   * In a first-order autoregression the variance of the mean is (1 + r) / (1 - r) times as large.
   */
  @Test
  void dependenceWidensTheErrors() {
    SimulatedRun dependent = new SimulatedRun(0.7, 0.1);
    WithinRun run =
        WithinRun.of(dependent.draw(200_000, 1, new SplittableRandom(2)), Resampling.DEFAULT);

    double naive = Math.sqrt(Math.expm1(0.01) / 200_000);
    assertThat(run.error(Metric.MEAN).logStandardError() / naive)
        .isCloseTo(Math.sqrt(1.7 / 0.3), within(0.4));
    assertThat(run.error(Metric.MEAN).blockRequests()).isGreaterThanOrEqualTo(200);
  }

  @Test
  void boundsEncloseTheFigure() {
    WithinRun run =
        WithinRun.of(
            new SimulatedRun(0.3, 0.4).draw(5_000, 1, new SplittableRandom(3)), Resampling.DEFAULT);
    for (Metric metric : Metric.values()) {
      double value = run.statistics().value(metric);
      Bounds usual = run.bounds(metric, 0.95);
      Bounds surer = run.bounds(metric, 0.99);
      assertThat(usual.low()).isLessThan(value).isGreaterThan(surer.low());
      assertThat(usual.high()).isGreaterThan(value).isLessThan(surer.high());
    }
  }

  @Test
  void isTheSameEachTime() {
    Series series = new SimulatedRun(0.5, 0.4).draw(3_000, 1, new SplittableRandom(4));
    assertThat(WithinRun.of(series, new Resampling(300, 5)))
        .isEqualTo(WithinRun.of(series, new Resampling(300, 5)))
        .isNotEqualTo(WithinRun.of(series, new Resampling(300, 6)));
  }

  /** Requests of equal duration have no error, and durations of 0 have no verdict. */
  @ParameterizedTest
  @CsvSource({"0, INCONCLUSIVE", "5000000, SAME"})
  void copesWithTimesThatDoNotVary(long nanos, Verdict verdict) {
    long[] durations = new long[100];
    Arrays.fill(durations, nanos);
    WithinRun run = WithinRun.of(SimulatedRun.closedModel(durations), new Resampling(100, 1));
    List<RatioEstimate> judged =
        Comparison.judge(Comparison.withinRun(List.of(run), List.of(run)), 0.03, 0.95);
    assertThat(judged)
        .hasSize(5)
        .allSatisfy(estimate -> assertThat(estimate.verdict()).isEqualTo(verdict));
  }

  /**
   * Runs without any difference: at most 5 % of the comparisons of each of five metrics may be
   * better or worse. All dependences are combined, so that chance affects the share by less than 1
   * %; the full simulation, `benchmarks/bench coverage`, has them one by one.
   */
  @Test
  void equalRunsAreSeldomCalledDifferent() {
    double[] autocorrelations = {0, 0.3, 0.5, 0.7};
    SplittableRandom random = new SplittableRandom(20);
    int trials = 240;
    int alarms = 0;
    int covered = 0;
    for (int trial = 0; trial < trials; trial++) {
      SimulatedRun simulated = new SimulatedRun(autocorrelations[trial % 4], 0.4);
      WithinRun a = WithinRun.of(simulated.draw(500, 1, random), new Resampling(200, trial));
      WithinRun b = WithinRun.of(simulated.draw(500, 1, random), new Resampling(200, trial));
      for (LogRatio ratio : Comparison.withinRun(List.of(a), List.of(b))) {
        Bounds bounds = ratio.bounds(0.95);
        Verdict verdict = Verdict.of(ratio.metric(), bounds.low(), bounds.high(), 0.03);
        alarms += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
        covered += bounds.low() <= 1 && bounds.high() >= 1 ? 1 : 0;
      }
    }
    assertThat(alarms / (5.0 * trials)).isLessThanOrEqualTo(0.05);
    assertThat(covered / (5.0 * trials)).isGreaterThanOrEqualTo(0.93);
  }

  @Test
  void refusesAHandfulOfRequests() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WithinRun.of(SimulatedRun.closedModel(new long[19]), Resampling.DEFAULT))
        .withMessageContaining("20 requests or more, but there are 19");
  }
}
