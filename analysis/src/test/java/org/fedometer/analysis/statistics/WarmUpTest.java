package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.fedometer.analysis.statistics.WarmUp.Verdict;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  /**
   * By hand, squared deviations from the mean over the square of the number kept: d=0 49.875/64 =
   * 0.779, d=1 3.4286/49 = 0.0700, d=2 1.5/36 = 0.0417, d=3 1.2/25 = 0.048.
   */
  @Test
  void aGivenWarmUpIsLimitedToTheRun() {
    assertThat(WarmUp.given(80, 200)).isEqualTo(new WarmUp(Verdict.GIVEN, 80));
    assertThat(WarmUp.given(500, 200)).isEqualTo(new WarmUp(Verdict.GIVEN, 200));
    assertThat(new WarmUp(Verdict.SETTLED, 81).inEntriesOf(5))
        .isEqualTo(new WarmUp(Verdict.SETTLED, 17));
  }

  @Test
  void dropsWhatMakesTheStandardErrorOfTheRestSmallest() {
    assertThat(WarmUp.truncationPoint(new double[] {9, 3, 2, 1, 2, 1, 2, 1})).isEqualTo(2);
  }

  /**
   * By hand: with all ten the statistic is (90 - 900/10)/100 = 0 for a constant series, and every
   * other point gives 0 too.
   */
  @Test
  void dropsNothingFromAConstantSeries() {
    double[] series = new double[10];
    Arrays.fill(series, 3);
    assertThat(WarmUp.truncationPoint(series)).isZero();
  }

  /** Without the rule the last two, being equal, would give a statistic of 0. */
  @Test
  void neverCutsIntoTheLastFiveBatches() {
    assertThat(WarmUp.truncationPoint(new double[] {1, 9, 1, 9, 1, 9, 1, 9, 7, 7}))
        .isLessThanOrEqualTo(5);
  }

  @Test
  void settlesAfterTheStep() {
    double[] means = new double[40];
    for (int i = 0; i < means.length; i++) {
      means[i] = (i < 6 ? 50 : 10) + i % 2;
    }
    assertThat(WarmUp.of(means, 203)).isEqualTo(new WarmUp(Verdict.SETTLED, 30));
  }

  @Test
  void hasNotSettledWhereTheStepIsInTheSecondHalf() {
    double[] means = new double[40];
    for (int i = 0; i < means.length; i++) {
      means[i] = (i < 25 ? 50 : 10) + i % 2;
    }
    assertThat(WarmUp.of(means, 201)).isEqualTo(new WarmUp(Verdict.NOT_SETTLED, 0));
  }

  @Test
  void aShortRunIsTooShort() {
    assertThat(WarmUp.of(new double[19], 99)).isEqualTo(new WarmUp(Verdict.TOO_SHORT, 0));
    assertThat(WarmUp.of(new double[0], 0)).isEqualTo(new WarmUp(Verdict.TOO_SHORT, 0));
    assertThat(WarmUp.of(new double[20], 100).verdict()).isEqualTo(Verdict.SETTLED);
  }

  @Test
  void refusesBatchesThatDoNotFitTheObservations() {
    assertThatThrownBy(() -> WarmUp.of(new double[20], 106))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("106 observations make 21 batches of 5, but 20 were given");
  }

  @Property(tries = 200)
  void agreesWithTheDefinition(
      @ForAll @Size(min = 5, max = 60) List<@DoubleRange(min = 1, max = 1000) Double> series) {
    double[] means = series.stream().mapToDouble(Double::doubleValue).toArray();
    int found = WarmUp.truncationPoint(means);
    double smallest = Double.POSITIVE_INFINITY;
    for (int d = 0; d <= means.length - 5; d++) {
      smallest = Math.min(smallest, statistic(means, d));
    }
    assertThat(statistic(means, found)).isLessThanOrEqualTo(smallest * (1 + 1e-9) + 1e-12);
  }

  private static double statistic(double[] means, int d) {
    double[] kept = Arrays.copyOfRange(means, d, means.length);
    double mean = Arrays.stream(kept).average().orElseThrow();
    double squares = Arrays.stream(kept).map(y -> (y - mean) * (y - mean)).sum();
    return squares / ((double) kept.length * kept.length);
  }
}
