package org.fedometer.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerifyProgressTest {

  @Test
  void aComparisonHasARateAndATimeLeft() {
    assertThat(new VerifyProgress("comparing objects", 300, 1_081, 25_000_000_000L).line())
        .isEqualTo("comparing objects: 300 of 1,081, 12/s, 1 min 5 s left");
    assertThat(new VerifyProgress("comparing objects", 3, 1_081, 2_000_000_000L).line())
        .isEqualTo("comparing objects: 3 of 1,081, 1.5/s, 11 min 59 s left");
  }

  @Test
  void aComparisonWithoutAKnownEndHasARate() {
    assertThat(new VerifyProgress("reading triples", 200_000, 0, 4_000_000_000L).line())
        .isEqualTo("reading triples: 200,000, 50,000/s");
  }

  @Test
  void aComparisonThatHasJustBegunHasNeither() {
    assertThat(new VerifyProgress("comparing objects", 0, 1_081, 0).line())
        .isEqualTo("comparing objects: 0 of 1,081");
  }

  @Test
  void theNextPartRestartsTheClock() {
    VerifyProgress.Meter meter = new VerifyProgress.Meter();
    meter.at("reading triples", 100_000, 0);

    assertThat(meter.at("comparing objects", 0, 10).elapsedNanos()).isZero();
  }
}
