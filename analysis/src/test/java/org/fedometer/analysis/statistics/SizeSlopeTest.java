package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeSlopeTest {

  /**
   * Python, statsmodels 0.15.0: {@code OLS(series + 0.001 x, [1, x])} over x = 0 to 199; residuals
   * alternate.
   */
  @Test
  void theLineIsThatOfLeastSquares() {
    double[] series = ReferenceSeries.autoregression(200, -0.5);
    double[] x = new double[200];
    for (int i = 0; i < x.length; i++) {
      x[i] = i;
      series[i] += 0.001 * i;
    }
    Line line = Line.through(x, series);

    assertThat(line.intercept()).isCloseTo(0.3513860328196025, within(1e-9));
    assertThat(line.slope()).isCloseTo(0.0008587264983087812, within(1e-12));
    assertThat(line.standardError()).isCloseTo(0.0003931343621937206, within(1e-12));
  }

  @Test
  void measuresGrowthOfTimePerObject() {
    long[] durations = new SimulatedRun(0.3, 0.2).durations(20_000, new SplittableRandom(1));
    for (int i = 0; i < durations.length; i++) {
      durations[i] += 500L * i;
    }
    long[] starts = new long[durations.length];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + durations[i - 1];
    }
    SizeSlope slope = SizeSlope.of(Series.of(starts, durations), 0.95);

    assertThat(slope.fromObjects()).isZero();
    assertThat(slope.toObjects()).isEqualTo(20_000);
    assertThat(slope.nanosPerObject()).isCloseTo(500, within(20.0));
    assertThat(slope.low()).isLessThan(500);
    assertThat(slope.high()).isGreaterThan(500);
    assertThat(slope.pValue()).isLessThan(1e-6);
    assertThat(slope.toNanos() - slope.fromNanos()).isCloseTo(10e6, within(0.4e6));
    // From 20.4 to 30.4 ms, relative to 25.4 ms.
    assertThat(slope.relativeChange()).isCloseTo(0.39, within(0.02));
  }

  /** 400 runs without a slope: at most 5 % of the intervals, and two standard errors, miss it. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 0.5, 0.7})
  void dependenceDoesNotMakeASlope(double autocorrelation) {
    SplittableRandom random = new SplittableRandom(2);
    SimulatedRun simulated = new SimulatedRun(autocorrelation, 0.4);
    int found = 0;
    for (int trial = 0; trial < 400; trial++) {
      found += SizeSlope.of(simulated.draw(2_000, 1, random), 0.95).pValue() < 0.05 ? 1 : 0;
    }
    assertThat(found).isLessThanOrEqualTo(28);
  }

  @Test
  void refusesAHandfulOfRequests() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeSlope.of(SimulatedRun.closedModel(new long[19]), 0.95))
        .withMessageContaining("20 requests or more, but there are 19");
  }
}
