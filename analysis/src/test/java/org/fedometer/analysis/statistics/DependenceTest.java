package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DependenceTest {

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 0.7})
  void isThatOfAnAutoregression(double autocorrelation) {
    assertThat(Dependence.lagOne(normal(20_000, autocorrelation)))
        .isCloseTo(autocorrelation, within(0.06));
  }

  /** A plain lag-1 autocorrelation of these is 0.9 and more. */
  @ParameterizedTest
  @ValueSource(doubles = {8, 100, 300})
  void isNotThatOfAJump(double height) {
    double[] jumping = normal(1_000, 0);
    for (int i = 400; i < 1_000; i++) {
      jumping[i] += height;
    }
    assertThat(Dependence.lagOne(jumping))
        .isCloseTo(Dependence.lagOne(normal(1_000, 0)), within(0.03));
  }

  @Test
  void isNotThatOfATrend() {
    double[] rising = normal(1_000, 0);
    for (int i = 0; i < 1_000; i++) {
      rising[i] += i * 0.02;
    }
    assertThat(Dependence.lagOne(rising)).isCloseTo(0, within(0.15));
  }

  @Test
  void longRunsAreCutIntoAThousandIntervalsAndDependentShortOnesIntoFewer() {
    SplittableRandom random = new SplittableRandom(1);
    SimulatedRun dependent = new SimulatedRun(0.7, 0.4);

    assertThat(Dependence.nearlyIndependent(dependent.draw(200_000, 1, random)).size())
        .isEqualTo(1_000);
    assertThat(Dependence.nearlyIndependent(dependent.draw(2_000, 1, random)).size())
        .isBetween(60, 500);
  }

  @Test
  void isNoneWhereNothingVaries() {
    assertThat(Dependence.lagOne(new double[50])).isZero();
  }

  private static double[] normal(int size, double autocorrelation) {
    SplittableRandom random = new SplittableRandom(9);
    double[] series = new double[size];
    double state = random.nextGaussian();
    for (int i = 0; i < size; i++) {
      series[i] = state;
      state =
          autocorrelation * state
              + Math.sqrt(1 - autocorrelation * autocorrelation) * random.nextGaussian();
    }
    return series;
  }
}
