package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.fedometer.analysis.statistics.SteadyState.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyStateTest {
  private static final double THRESHOLD = 0.03;

  @Test
  void aRunIsSteadyFromTheEndOfItsWarmUp() {
    SteadyState run = judge(5_000, i -> 1 + 2 * Math.exp(-i / 125.0));

    assertThat(run.state()).isEqualTo(State.STEADY);
    assertThat(run.steadyFrom()).isBetween(250, 2_000);
    assertThat(run.changes()).isEmpty();
    assertThat(run.regimes())
        .singleElement()
        .satisfies(
            regime -> {
              assertThat(regime.from()).isEqualTo(run.steadyFrom());
              assertThat(regime.to()).isEqualTo(5_000);
            });
    assertThat(Math.abs(run.slope().relativeChange())).isLessThan(THRESHOLD);
  }

  @Test
  void aRunDriftsWhoseObjectsGetDearerAllAlong() {
    SteadyState run = judge(5_000, i -> 1 + 0.5 * i / 5_000);

    assertThat(run.state()).isEqualTo(State.DRIFTING);
    assertThat(run.slope().relativeChange()).isCloseTo(0.4, within(0.05));
    assertThat(run.changes()).isEmpty();
  }

  @Test
  void aRunHasSeveralRegimesWhereItJumpsAndJumpsBack() {
    SteadyState run = judge(5_000, i -> i >= 2_000 && i < 3_250 ? 1.25 : 1);

    assertThat(run.state()).isEqualTo(State.SEVERAL_REGIMES);
    assertThat(run.changes()).hasSize(2);
    assertThat(run.changes().get(0).request()).isBetween(1_900, 2_100);
    assertThat(run.changes().get(1).request()).isBetween(3_150, 3_350);
    assertThat(run.changes().get(0).afterNanos() / run.changes().get(0).beforeNanos())
        .isCloseTo(1.25, within(0.03));
    assertThat(run.changes()).allSatisfy(c -> assertThat(c.pValue()).isLessThanOrEqualTo(0.05));
    assertThat(run.regimes()).hasSize(3);
    assertThat(run.regimes().get(1).from()).isEqualTo(run.changes().get(0).request());
    assertThat(run.regimes().get(1).to()).isEqualTo(run.changes().get(1).request());
  }

  @Test
  void aRunThatGetsSlowerLateHasSeveralRegimes() {
    SteadyState run = judge(5_000, i -> i >= 3_500 ? 1.3 : 1);

    assertThat(run.state()).isEqualTo(State.SEVERAL_REGIMES);
    assertThat(run.changes()).singleElement();
  }

  @Test
  void aRunWasNeverSteadyThatGotFasterUntilItsSecondHalf() {
    assertThat(judge(5_000, i -> i < 3_250 ? 1.5 : 1).state()).isEqualTo(State.NEVER_STEADY);
    assertThat(judge(5_000, i -> 1 + 3 * Math.exp(-i / 2_250.0)).state())
        .isEqualTo(State.NEVER_STEADY);
  }

  /** Found, and too small to matter. */
  @Test
  void aChangeWithinTheThresholdIsNone() {
    assertThat(judge(200_000, i -> i < 90_000 ? 1 : 1.015).state()).isEqualTo(State.STEADY);
  }

  @Test
  void aShortRunIsTooShort() {
    SteadyState run = judge(99, i -> 1);

    assertThat(run.state()).isEqualTo(State.TOO_SHORT);
    assertThat(run.slope()).isNull();
    assertThat(run.regimes()).hasSize(1);
  }

  @Test
  void isTheSameEachTime() {
    Series series = new SimulatedRun(0.5, 0.4).draw(5_000, 1, new SplittableRandom(1));
    assertThat(SteadyState.of(series, WarmUp.of(series), THRESHOLD, 4))
        .isEqualTo(SteadyState.of(series, WarmUp.of(series), THRESHOLD, 4));
  }

  /**
   * Nothing changes in these runs. One in twenty may be misclassified; 6 of 60 runs are that and
   * two standard errors. The full simulation is `benchmarks/bench coverage`.
   */
  @ParameterizedTest
  @CsvSource({"0, 400", "0.3, 800", "0.5, 1500", "0.7, 500", "0.7, 5000"})
  void dependenceAloneIsSteady(double autocorrelation, int requests) {
    SplittableRandom random = new SplittableRandom(31);
    SimulatedRun simulated = new SimulatedRun(autocorrelation, 0.4);
    int alarms = 0;
    for (int trial = 0; trial < 60; trial++) {
      Series series = simulated.draw(requests, 1, random);
      SteadyState run = SteadyState.of(series, WarmUp.of(series), THRESHOLD, trial);
      alarms += run.state() == State.STEADY ? 0 : 1;
    }
    assertThat(alarms).isLessThanOrEqualTo(6);
  }

  private static SteadyState judge(int requests, IntToDoubleFunction level) {
    long[] durations = new SimulatedRun(0.4, 0.3).durations(requests, new SplittableRandom(11));
    for (int i = 0; i < requests; i++) {
      durations[i] = Math.round(durations[i] * level.applyAsDouble(i));
    }
    Series series = SimulatedRun.closedModel(durations);
    return SteadyState.of(series, WarmUp.of(series), THRESHOLD, 1);
  }
}
