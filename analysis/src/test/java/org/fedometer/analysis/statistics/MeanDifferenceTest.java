package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeanDifferenceTest {

  /** Student's own example of ten patients (W. S. Gosset, Biometrika 6, 1908): sleep gained. */
  private static final double[] FIRST = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};

  private static final double[] SECOND = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

  @Test
  void pairsAreHeldAgainstEachOther() {
    MeanDifference difference = MeanDifference.ofPairs(FIRST, SECOND);

    Bounds bounds = difference.bounds(0.95);
    assertThat(difference.difference()).isCloseTo(1.58, within(1e-9));
    assertThat(difference.degreesOfFreedom()).isEqualTo(9);
    // R 4.3: t.test(extra ~ group, paired): 0.7001142 to 2.4598858.
    assertThat(bounds.low()).isCloseTo(0.7001142, within(1e-6));
    assertThat(bounds.high()).isCloseTo(2.4598858, within(1e-6));
  }

  @Test
  void independentRunsAreHeldAgainstEachOtherByWelch() {
    MeanDifference difference = MeanDifference.ofRuns(FIRST, SECOND);

    Bounds bounds = difference.bounds(0.95);
    // R 4.3: t.test(extra ~ group): df 17.776, -0.2054832 to 3.3654832.
    assertThat(difference.degreesOfFreedom()).isCloseTo(17.776, within(1e-3));
    assertThat(bounds.low()).isCloseTo(-0.2054832, within(1e-6));
    assertThat(bounds.high()).isCloseTo(3.3654832, within(1e-6));
    assertThat(difference.scope()).isEqualTo(Scope.BETWEEN_RUNS);
  }

  @Test
  void withinRunsTheErrorsAreThoseOfEachRun() {
    MeanDifference difference =
        MeanDifference.withinRuns(
            new MeanDifference.Mean(10, 9, 29), new MeanDifference.Mean(12, 16, 29));

    assertThat(difference.difference()).isEqualTo(2);
    assertThat(difference.standardError()).isEqualTo(5);
    assertThat(difference.degreesOfFreedom())
        .isCloseTo(25.0 * 25 / (81.0 / 29 + 256.0 / 29), within(1e-9));
    assertThat(difference.scope()).isEqualTo(Scope.WITHIN_RUN);
  }

  @Test
  void equalRunsHaveNoError() {
    double[] same = {5, 5, 5};

    assertThat(MeanDifference.ofRuns(same, same).bounds(0.95)).isEqualTo(new Bounds(0, 0));
  }
}
