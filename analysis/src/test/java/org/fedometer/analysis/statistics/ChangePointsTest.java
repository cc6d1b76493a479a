package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.SplittableRandom;
import org.fedometer.analysis.statistics.ChangePoints.ChangePoint;
import org.junit.jupiter.api.Test;

class ChangePointsTest {

  /**
   * The flow of the Nile fell after 1898, when the dam at Aswan was begun: 28 years before, as
   * found by Cobb 1978 and by nearly everybody since.
   */
  @Test
  void findsTheYearInWhichTheNileFell() {
    List<ChangePoint> found = ChangePoints.find(ReferenceSeries.NILE, 10, 1);

    assertThat(found).extracting(ChangePoint::index).containsExactly(28);
    assertThat(found.get(0).pValue()).isEqualTo(1 / 200.0);
  }

  @Test
  void findsEachOfSeveralChangesAndOneThatIsUndone() {
    double[] levels = {10, 12, 10, 11.5, 11.5, 9};
    SplittableRandom random = new SplittableRandom(3);
    double[] series = new double[600];
    for (int i = 0; i < series.length; i++) {
      series[i] = levels[i / 100] + 0.5 * random.nextGaussian();
    }

    List<Integer> found =
        ChangePoints.find(series, 30, 1).stream().map(ChangePoint::index).toList();

    assertThat(found).hasSize(4);
    assertThat(found.get(0)).isBetween(97, 103);
    assertThat(found.get(1)).isBetween(197, 203);
    assertThat(found.get(2)).isBetween(297, 303);
    assertThat(found.get(3)).isBetween(497, 503);
  }

  /** The same mean, another spread: a distribution changes in more than its mean. */
  @Test
  void findsAChangeOfSpread() {
    SplittableRandom random = new SplittableRandom(4);
    double[] series = new double[600];
    for (int i = 0; i < series.length; i++) {
      series[i] = 10 + (i < 300 ? 0.5 : 3) * random.nextGaussian();
    }

    assertThat(ChangePoints.find(series, 30, 1)).hasSize(1);
    assertThat(ChangePoints.find(series, 30, 1).get(0).index()).isBetween(280, 320);
  }

  @Test
  void keepsItsFalsePositiveRateInSkewedNoise() {
    SplittableRandom random = new SplittableRandom(5);
    int found = 0;
    for (int trial = 0; trial < 100; trial++) {
      double[] series = new double[100];
      for (int i = 0; i < series.length; i++) {
        series[i] = Math.exp(random.nextGaussian());
      }
      found += ChangePoints.find(series, 10, trial).isEmpty() ? 0 : 1;
    }
    // 5 % of 100, and two standard errors.
    assertThat(found).isLessThanOrEqualTo(9);
  }

  @Test
  void findsNothingInWhatDoesNotVaryOrIsShort() {
    assertThat(ChangePoints.find(new double[200], 10, 1)).isEmpty();
    assertThat(ChangePoints.find(new double[] {1, 1, 1, 9, 9, 9}, 10, 1)).isEmpty();
    assertThat(ChangePoints.find(new double[0], 10, 1)).isEmpty();
  }

  @Test
  void isTheSameEachTime() {
    double[] series = ReferenceSeries.autoregression(400, 0.9);
    assertThat(ChangePoints.find(series, 20, 8)).isEqualTo(ChangePoints.find(series, 20, 8));
  }

  @Test
  void refusesMoreThanItCanDoSoon() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChangePoints.find(new double[1_001], 10, 1))
        .withMessageContaining("1000 observations at most");
  }
}
