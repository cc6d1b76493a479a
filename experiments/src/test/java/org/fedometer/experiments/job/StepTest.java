package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.fedometer.store.RunDocument.Phase;
import org.junit.jupiter.api.Test;

class StepTest {
  @Test
  void stepsAreThePhasesThatReadersOfTheStoreKnowInTheSameOrder() {
    assertThat(Arrays.stream(Step.values()).map(Step::id)).containsExactlyElementsOf(Phase.NAMES);
  }
}
