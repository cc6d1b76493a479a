package org.fedometer.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockStepTest {
  private static final long HOUR_MILLIS = 3_600_000;

  private long epochMillis = 1_800_000_000_000L;
  private long nanos = -5;
  private final ClockStep clock = new ClockStep(nanos, epochMillis, () -> nanos, () -> epochMillis);

  @Test
  void aClockThatGoesRightWasNotSet() {
    pass(Duration.ofDays(3));

    assertThat(clock.millis()).isZero();
    assertThat(clock.maxSetBack()).isZero();
  }

  @Test
  void howFarItWasSetBackIsKnownFromThenOn() {
    pass(Duration.ofMinutes(1));
    epochMillis -= HOUR_MILLIS;
    pass(Duration.ofMinutes(1));

    assertThat(clock.millis()).isEqualTo(-HOUR_MILLIS);
    assertThat(clock.maxSetBack()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void whatWasMadeMeanwhileSeemsOlderStillWhenItIsRightAgain() {
    epochMillis -= HOUR_MILLIS;
    clock.maxSetBack();
    epochMillis += HOUR_MILLIS;

    assertThat(clock.millis()).isZero();
    assertThat(clock.maxSetBack()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aClockThatWasSetForwardWasNotSetBack() {
    epochMillis += HOUR_MILLIS;

    assertThat(clock.millis()).isEqualTo(HOUR_MILLIS);
    assertThat(clock.maxSetBack()).isZero();
  }

  private void pass(Duration time) {
    epochMillis += time.toMillis();
    nanos += time.toNanos();
  }
}
