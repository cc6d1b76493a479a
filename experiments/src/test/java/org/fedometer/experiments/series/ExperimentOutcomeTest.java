package org.fedometer.experiments.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.store.RunState;
import org.junit.jupiter.api.Test;

class ExperimentOutcomeTest {

  @Test
  void allRunsThatEndedWellAreWell() {
    assertThat(outcome(0, false, RunState.DONE).isWell()).isTrue();
    assertThat(outcome(0, false, RunState.DONE_WITH_ERRORS).isWell()).isFalse();
    assertThat(outcome(1, false, RunState.DONE).isWell()).isFalse();
  }

  @Test
  void aRunThatWasMadeOnlyIfNeededAndFailedIsNotWell() {
    assertThat(outcome(0, true, RunState.DONE).isWell()).isFalse();
  }

  private static ExperimentOutcome outcome(int missing, boolean failed, RunState state) {
    ExperimentRow row =
        new ExperimentRow(
            new PlannedRun(1, 1, 1, "a"), "none-derby", "night.1.a", state.id(), 1.0, 1.0);
    return new ExperimentOutcome(
        "night", "01X", "a", List.of(row), missing, false, true, failed, "");
  }
}
