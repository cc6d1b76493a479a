package org.fedometer.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DurabilityCheckTest {
  private final DurabilityCheck check = new DurabilityCheck();

  @Test
  void reportsCheckedAndTotalObjects() {
    assertThat(check.hasBegun()).isFalse();

    check.begin(766);
    check.checked();

    assertThat(check.hasBegun()).isTrue();
    assertThat(check.progress().line())
        .startsWith("check of unconfirmed objects: 1 of 766, ")
        .endsWith(" left");
  }

  @Test
  void beginsOnceEvenIfReingestedObjectsAreCheckedAgain() {
    check.begin(766);
    long startNanos = check.startNanos();
    check.checked();

    check.begin(3);

    assertThat(check.startNanos()).isEqualTo(startNanos);
    assertThat(check.progress().fraction()).isZero();
  }
}
