package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockSetBackTest {
  private long epochMillis = 1_800_000_000_000L;
  private long nanos = -5;
  private final ClockSetBack clock = new ClockSetBack(() -> epochMillis, () -> nanos);

  @Test
  void aClockThatGoesRightWasNotSet() {
    pass(Duration.ofDays(3));

    assertThat(clock.soFar()).isZero();
  }

  @Test
  void howFarItWasSetBackIsKnownFromThenOn() {
    pass(Duration.ofMinutes(1));
    epochMillis -= 3_600_000;
    pass(Duration.ofMinutes(1));

    assertThat(clock.soFar()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aClockThatWasSetForwardWasNotSetBack() {
    epochMillis += 3_600_000;

    assertThat(clock.soFar()).isZero();
  }

  private void pass(Duration time) {
    epochMillis += time.toMillis();
    nanos += time.toNanos();
  }
}
