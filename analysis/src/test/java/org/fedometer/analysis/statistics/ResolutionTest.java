package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ResolutionTest {
  private static final long MS = 1_000_000;
  private static final Resampling FEW = new Resampling(100, 1);

  static Stream<Arguments> times() {
    return Stream.of(
        Arguments.of("whole milliseconds", ms(41, 42, 43, 44, 47), MS, MS),
        Arguments.of("written in seconds", ms(41, 42, 43, 44, 47), 1_000 * MS, MS),
        Arguments.of(
            "tenths of milliseconds",
            new long[] {36_200_000, 36_300_000, 36_500_000, 37_000_000, 38_100_000},
            MS,
            MS / 10),
        Arguments.of("ticks of a hundredth of a second", ms(10, 20, 30, 40, 50, 70), MS, 10 * MS),
        Arguments.of("too few to tell ticks by", ms(40, 50), MS, MS),
        Arguments.of("zeros", ms(0, 0, 0), MS, MS),
        Arguments.of("zeros among others", ms(0, 1, 2, 3, 4, 5), MS, MS),
        Arguments.of("nanoseconds", new long[] {1_234_567, 2_000_000}, 1L, 1L));
  }

  private static long[] ms(long... millis) {
    return LongStream.of(millis).map(each -> each * MS).toArray();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("times")
  void isFoundInTheTimes(String name, long[] nanos, long unitNanos, long resolution) {
    assertThat(Resolution.of(nanos, unitNanos)).isEqualTo(resolution);
  }

  /** One request after the other, times of a normal distribution, cut to whole steps. */
  private static WithinRun run(double millis, double deviation, long step, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] durations = new long[2_000];
    for (int i = 0; i < durations.length; i++) {
      double drawn = Math.max(0, millis + deviation * random.nextGaussian()) * MS;
      durations[i] = (long) (drawn / step) * step;
    }
    return run(durations, step);
  }

  private static WithinRun run(long[] durations, long step) {
    long[] starts = new long[durations.length];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + durations[i - 1];
    }
    return WithinRun.of(Series.of(starts, durations, step), FEW);
  }

  private static RatioEstimate estimate(WithinRun first, WithinRun second, Metric metric) {
    return Comparison.judge(Comparison.withinRun(List.of(first), List.of(second)), 0.03, 0.95)
        .get(metric.ordinal());
  }

  @Test
  void noIntervalOfAPercentileIsNarrowerThanTheResolution() {
    RatioEstimate p50 = estimate(run(42.5, 3, MS, 1), run(47.5, 3, MS, 2), Metric.P50);

    assertThat(p50.ratio()).isCloseTo(47.0 / 42, within(1e-12));
    assertThat(p50.low()).isLessThanOrEqualTo(46.0 / 43);
    assertThat(p50.high()).isGreaterThanOrEqualTo(48.0 / 41);
    assertThat(p50.verdict()).isEqualTo(Verdict.WORSE);
  }

  @Test
  void theIntervalOfAPercentileHoldsTheTruthWhereATimeWasCut() {
    RatioEstimate p50 = estimate(run(2.9, 0, MS, 1), run(4, 0, MS, 2), Metric.P50);

    assertThat(p50.ratio()).isCloseTo(2, within(1e-12));
    assertThat(4 / 2.9).isBetween(p50.low(), p50.high());
  }

  @Test
  void whatIsTheSameIsNotWorseForBeingCutToMilliseconds() {
    RatioEstimate exact = estimate(run(23.7, 0.2, 1, 3), run(24.17, 0.2, 1, 4), Metric.P50);
    RatioEstimate cut = estimate(run(23.7, 0.2, MS, 3), run(24.17, 0.2, MS, 4), Metric.P50);

    assertThat(exact.ratio()).isCloseTo(1.02, within(0.005));
    assertThat(exact.verdict()).isEqualTo(Verdict.SAME);
    assertThat(cut.ratio()).isCloseTo(24.0 / 23, within(1e-12));
    assertThat(cut.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(cut.pValue()).isGreaterThan(0.05);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, INCONCLUSIVE", "0, 100, WORSE", "0, 0, INCONCLUSIVE", "100, 0, BETTER"})
  void nothingIsDividedByAStandInForZero(long first, long second, Verdict verdict) {
    RatioEstimate p99 = estimate(run(constant(first), MS), run(constant(second), MS), Metric.P99);

    assertThat(p99.ratio()).isNaN();
    assertThat(p99.verdict()).isEqualTo(verdict);
    assertThat(p99.adjustedPValue() < 0.05).isEqualTo(verdict != Verdict.INCONCLUSIVE);
    if (second == 100) {
      assertThat(p99.low()).isCloseTo(99, within(1e-9));
      assertThat(p99.high()).isInfinite();
    }
  }

  @Test
  void requestsThatTookNoTimeHaveNoThroughput() {
    WithinRun zeros = run(new long[100], MS);

    assertThat(zeros.statistics().throughputPerSecond()).isNaN();
    RatioEstimate throughput = estimate(zeros, run(5, 1, MS, 5), Metric.THROUGHPUT);
    assertThat(throughput.ratio()).isNaN();
    assertThat(throughput.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }

  /** Short times that were cut down: their mean is off by half of the step in both runs. */
  @Test
  void theIntervalOfAMeanHoldsWhatTheExactTimesGive() {
    RatioEstimate mean = estimate(run(3, 1, MS, 6), run(4.5, 1, MS, 7), Metric.MEAN);
    RatioEstimate constant = estimate(run(2.1, 0, MS, 8), run(2.9, 0, MS, 9), Metric.MEAN);
    RatioEstimate rate = estimate(run(3, 1, MS, 6), run(4.5, 1, MS, 7), Metric.THROUGHPUT);

    assertThat(1.5).isBetween(mean.low(), mean.high());
    assertThat(mean.verdict()).isEqualTo(Verdict.WORSE);
    assertThat(1 / 1.5).isBetween(rate.low(), rate.high());
    assertThat(2.9 / 2.1).isBetween(constant.low(), constant.high());
    assertThat(constant.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }

  @Test
  void runsThatRepeatAreNoMoreExact() {
    List<RunStatistics> first =
        List.of(run(42.5, 3, MS, 1).statistics(), run(42.5, 3, MS, 2).statistics());
    List<RunStatistics> second =
        List.of(run(44.5, 3, MS, 3).statistics(), run(44.5, 3, MS, 4).statistics());

    for (List<LogRatio> ratios :
        List.of(Comparison.betweenRuns(first, second), Comparison.paired(first, second))) {
      Bounds p50 = ratios.get(Metric.P50.ordinal()).bounds(0.95);
      assertThat(p50.low()).isLessThan(43.0 / 43 + 1e-9);
      assertThat(p50.high()).isGreaterThan(45.0 / 41 - 1e-9);
    }
  }

  @Test
  void runsOfWhichOneHasAFigureOfZeroDifferAllTheSame() {
    List<RunStatistics> first = new ArrayList<>();
    List<RunStatistics> second = new ArrayList<>();
    for (long millis : new long[] {0, 3, 6}) {
      first.add(run(constant(6), MS).statistics());
      second.add(run(constant(millis), MS).statistics());
    }

    for (List<LogRatio> ratios :
        List.of(Comparison.betweenRuns(first, second), Comparison.paired(first, second))) {
      LogRatio p50 = ratios.get(Metric.P50.ordinal());
      assertThat(p50.ratio()).isNaN();
      assertThat(Math.exp(p50.possible().high())).as("without the runs' error").isLessThan(0.7);
      assertThat(p50.bounds(0.95).high()).isGreaterThan(1);
      assertThat(p50.pValue()).isGreaterThan(0.05);
      assertThat(ratios.get(Metric.THROUGHPUT.ordinal()).pValue()).isEqualTo(1);
    }
  }

  private static long[] constant(long millis) {
    long[] durations = new long[100];
    Arrays.fill(durations, millis * MS);
    return durations;
  }
}
