package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {
  private static final Offset<Double> EXACT = within(1e-6);

  /**
   * Python, scipy 1.17.1: {@code ttest_ind(log(b), log(a), equal_var=False)}, and {@code
   * exp(confidence_interval(0.95))}.
   */
  @Test
  void independentRunsAreComparedByWelch() {
    LogRatio ratio =
        throughput(
            Comparison.betweenRuns(
                runs(101.2, 98.7, 103.5, 99.9), runs(110.1, 118.4, 107.3, 109.9)));

    assertThat(ratio.scope()).isEqualTo(Scope.BETWEEN_RUNS);
    assertThat(ratio.ratio()).isCloseTo(1.1045445398770686, EXACT);
    assertThat(ratio.degreesOfFreedom()).isCloseTo(4.298101880998854, EXACT);
    assertThat(ratio.pValue()).isCloseTo(0.011615061202883036, EXACT);
    assertThat(ratio.bounds(0.95).low()).isCloseTo(1.0363299796713794, EXACT);
    assertThat(ratio.bounds(0.95).high()).isCloseTo(1.1772492010306537, EXACT);
  }

  /** Likewise. */
  @Test
  void twoRunsAgainstThreeAreComparedToo() {
    LogRatio ratio =
        throughput(Comparison.betweenRuns(runs(101.2, 98.7), runs(110.1, 118.4, 107.3)));

    assertThat(ratio.degreesOfFreedom()).isCloseTo(2.6155073344149873, EXACT);
    assertThat(ratio.pValue()).isCloseTo(0.048490684743488256, EXACT);
    assertThat(ratio.bounds(0.95).low()).isCloseTo(1.0015236093915816, EXACT);
    assertThat(ratio.bounds(0.95).high()).isCloseTo(1.2502599095925067, EXACT);
  }

  /** Python, scipy 1.17.1: {@code ttest_rel(log(b), log(a))}. */
  @Test
  void interleavedRunsAreComparedInPairs() {
    LogRatio ratio =
        throughput(
            Comparison.paired(runs(101.2, 98.7, 103.5, 99.9), runs(110.1, 118.4, 107.3, 109.9)));

    assertThat(ratio.degreesOfFreedom()).isEqualTo(3);
    assertThat(ratio.pValue()).isCloseTo(0.04667921166232916, EXACT);
    assertThat(ratio.bounds(0.95).low()).isCloseTo(1.0027481490789327, EXACT);
    assertThat(ratio.bounds(0.95).high()).isCloseTo(1.2166750361921725, EXACT);
  }

  @Test
  void aMachineThatGetsSlowerDropsOutOfPairs() {
    List<RunStatistics> baseline = runs(100, 80, 60, 40);
    List<RunStatistics> contender = runs(110.2, 87.9, 66.1, 43.9);

    assertThat(throughput(Comparison.paired(baseline, contender)).pValue()).isLessThan(0.001);
    assertThat(throughput(Comparison.betweenRuns(baseline, contender)).pValue()).isGreaterThan(0.5);
  }

  @Test
  void comparesEachMetricInItsUnit() {
    List<LogRatio> ratios = Comparison.paired(runs(100, 101), runs(200, 202));

    assertThat(ratios).extracting(LogRatio::metric).containsExactly(Metric.values());
    assertThat(ratios.get(Metric.THROUGHPUT.ordinal()).ratio()).isCloseTo(2, EXACT);
    assertThat(ratios.get(Metric.P99.ordinal()).ratio()).isCloseTo(0.5, EXACT);
    assertThat(Comparison.judge(ratios, 0.03, 0.95))
        .extracting(RatioEstimate::verdict)
        .containsOnly(Verdict.BETTER);
  }

  @Test
  void equalRunsAreTheSame() {
    List<RatioEstimate> judged =
        Comparison.judge(Comparison.betweenRuns(runs(100, 100), runs(100, 100)), 0.03, 0.95);

    assertThat(judged)
        .allSatisfy(
            estimate -> {
              assertThat(estimate.verdict()).isEqualTo(Verdict.SAME);
              assertThat(estimate.pValue()).isEqualTo(1);
            });
  }

  @Test
  void oneRunGivesWithinRunScopeOnly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.betweenRuns(runs(100), runs(110, 111, 112)))
        .withMessageContaining("2 or more runs on each side, but there are 1 of the baseline and 3")
        .withMessageContaining("only its variation within itself");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.paired(runs(100, 101, 102), runs(110, 111)))
        .withMessageContaining("compare them as independent runs");
  }

  @Test
  void withinRunErrorsAddUpOverBothSides() {
    SplittableRandom random = new SplittableRandom(1);
    SimulatedRun simulated = new SimulatedRun(0.3, 0.4);
    WithinRun a = WithinRun.of(simulated.draw(4_000, 1, random), Resampling.DEFAULT);
    WithinRun b = WithinRun.of(simulated.draw(4_000, 1.2, random), Resampling.DEFAULT);
    LogRatio mean = Comparison.withinRun(List.of(a), List.of(b)).get(Metric.MEAN.ordinal());

    assertThat(mean.scope()).isEqualTo(Scope.WITHIN_RUN);
    assertThat(mean.ratio())
        .isCloseTo(b.statistics().meanNanos() / a.statistics().meanNanos(), EXACT);
    assertThat(mean.standardError())
        .isCloseTo(
            Math.hypot(
                a.error(Metric.MEAN).logStandardError(), b.error(Metric.MEAN).logStandardError()),
            EXACT);
    assertThat(Comparison.judge(List.of(mean), 0.03, 0.95).get(0).verdict())
        .isEqualTo(Verdict.WORSE);
  }

  /** A doubtful difference is one no more when nine others are asked for at the same time. */
  @Test
  void intervalsOfManyContendersAgreeWithTheirVerdicts() {
    List<LogRatio> family = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      family.add(new LogRatio(Metric.THROUGHPUT, Scope.BETWEEN_RUNS, i == 0 ? 0.5 : 0.09, 0.04, 8));
    }
    assertThat(Comparison.judge(family.subList(1, 2), 0.03, 0.9).get(0).verdict())
        .isEqualTo(Verdict.BETTER);

    List<RatioEstimate> judged = Comparison.judge(family, 0.03, 0.9);

    assertThat(judged.get(0).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(judged.subList(1, 10))
        .allSatisfy(
            estimate -> {
              assertThat(estimate.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
              assertThat(estimate.low()).isLessThan(1);
              assertThat(estimate.pValue()).isLessThan(0.1);
              assertThat(estimate.adjustedPValue()).isGreaterThan(0.1);
            });
  }

  @Test
  void contendersAreOneFamilyForEachMetric() {
    List<LogRatio> clear = new ArrayList<>();
    List<LogRatio> inconclusive = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      clear.add(new LogRatio(metric, Scope.BETWEEN_RUNS, 0.5, 0.01, 8));
      inconclusive.add(new LogRatio(metric, Scope.BETWEEN_RUNS, 0.1, 0.04, 8));
    }

    List<List<RatioEstimate>> judged =
        Comparison.judgeEach(List.of(inconclusive, clear, inconclusive), 0.03, 0.95);

    assertThat(judged).hasSize(3);
    double alone = inconclusive.get(0).pValue();
    assertThat(judged.get(0))
        .allSatisfy(estimate -> assertThat(estimate.adjustedPValue()).isCloseTo(2 * alone, EXACT));
    assertThat(judged.get(1)).extracting(RatioEstimate::metric).containsExactly(Metric.values());
  }

  /**
   * Runs differ by chance by 3 %, plus the effect of their few requests. At least 95 % of the
   * intervals must contain the true ratio, with any number of runs; false alarms are those of equal
   * profiles. The full simulation is `benchmarks/bench coverage`.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void intervalsHaveTheirNominalCoverage(int runs) {
    SplittableRandom random = new SplittableRandom(77);
    SimulatedRun simulated = new SimulatedRun(0.5, 0.4);
    int trials = 600;
    int covered = 0;
    int alarms = 0;
    for (int trial = 0; trial < trials; trial++) {
      List<LogRatio> ratios =
          Comparison.betweenRuns(
              draw(simulated, runs, 1, random), draw(simulated, runs, 1, random));
      for (LogRatio ratio : ratios) {
        Bounds bounds = ratio.bounds(0.95);
        Verdict verdict = Verdict.of(ratio.metric(), bounds.low(), bounds.high(), 0.03);
        covered += bounds.low() <= 1 && bounds.high() >= 1 ? 1 : 0;
        alarms += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
      }
    }
    assertThat(covered / (5.0 * trials)).isGreaterThanOrEqualTo(0.93);
    assertThat(alarms / (5.0 * trials)).isLessThanOrEqualTo(0.05);
  }

  private static List<RunStatistics> draw(
      SimulatedRun simulated, int runs, double scale, SplittableRandom random) {
    List<RunStatistics> drawn = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      double ofThisRun = scale * Math.exp(0.03 * random.nextGaussian());
      drawn.add(RunStatistics.of(simulated.draw(500, ofThisRun, random)));
    }
    return drawn;
  }

  private static LogRatio throughput(List<LogRatio> ratios) {
    return ratios.get(Metric.THROUGHPUT.ordinal());
  }

  /** Runs of these throughputs per second, of one worker. */
  private static List<RunStatistics> runs(double... perSecond) {
    return Arrays.stream(perSecond)
        .mapToObj(
            rate ->
                new RunStatistics(
                    1_000,
                    rate,
                    1e9 / rate,
                    9e8 / rate,
                    2e9 / rate,
                    4e9 / rate,
                    RunStatistics.Exactness.NANOS))
        .toList();
  }
}
