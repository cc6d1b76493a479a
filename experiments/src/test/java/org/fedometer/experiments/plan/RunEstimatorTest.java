package org.fedometer.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RunEstimatorTest {

  @Test
  void estimatesFromRunsOfTheSameProfileAndLoad() {
    RunEstimator estimator =
        new RunEstimator(
            List.of(
                new RunEstimator.KnownRun("a", "load", 100, 10, 30, 1_000),
                new RunEstimator.KnownRun("a", "load", 300, 30, 40, 3_000),
                new RunEstimator.KnownRun("b", "load", 100, 100, 30, 9_000),
                new RunEstimator.KnownRun("a", "other load", 100, 100, 30, 9_000)));

    RunEstimator.Estimate estimate = estimator.of("a", "load", 1000, null);

    assertThat(estimate.seconds()).isCloseTo(35 + 1000 * 0.1, Offset.offset(1e-9));
    assertThat(estimate.storedBytes()).isEqualTo(10_000);
    assertThat(estimate.basis()).isEqualTo(RunEstimator.Basis.SAME_PROFILE);
  }

  @Test
  void usesTheNewestRunsOnly() {
    List<RunEstimator.KnownRun> known = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      known.add(new RunEstimator.KnownRun("a", "load", 100, 10, 30, 1));
    }
    known.add(new RunEstimator.KnownRun("a", "load", 100, 1_000_000, 30, 1));

    assertThat(new RunEstimator(known).of("a", "load", 100, null).seconds()).isEqualTo(40);
  }

  @Test
  void otherProfilesUnderTheSameLoadAreBetterThanNothing() {
    RunEstimator estimator =
        new RunEstimator(List.of(new RunEstimator.KnownRun("b", "load", 100, 10, 30, 1_000)));

    assertThat(estimator.of("a", "load", 100, null).basis())
        .isEqualTo(RunEstimator.Basis.SAME_LOAD);
    assertThat(estimator.of("a", "load", 100, null).seconds()).isEqualTo(40);
  }

  @Test
  void aRunWithoutAProfileIsOneUnderAnother() {
    RunEstimator estimator =
        new RunEstimator(List.of(new RunEstimator.KnownRun(null, "load", 100, 10, 30, 1_000)));

    assertThat(estimator.of("a", "load", 100, null).basis())
        .isEqualTo(RunEstimator.Basis.SAME_LOAD);
  }

  @Test
  void usesAndNamesDefaultsWithoutRuns() {
    RunEstimator.Estimate estimate = new RunEstimator(List.of()).of("a", "load", 4000, null);

    assertThat(estimate.seconds()).isEqualTo(160);
    assertThat(estimate.basis().text())
        .isEqualTo(
            "default values, as no earlier run of this load exists: 40 objects/s, and 60 s"
                + " around each run");
  }

  @Test
  void usesTheRequestedRate() {
    assertThat(new RunEstimator(List.of()).of("a", "load", 1000, 10.0).seconds()).isEqualTo(160);
  }
}
