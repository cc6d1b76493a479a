package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelemetryOptionTest {

  @Test
  void acceptsSecondsAndZeroForNever() {
    assertThat(TelemetryOption.intervalOf(0)).isZero();
    assertThat(TelemetryOption.intervalOf(0.1)).isEqualTo(Duration.ofMillis(100));
    assertThat(TelemetryOption.intervalOf(1.5)).isEqualTo(Duration.ofMillis(1500));
    assertThat(TelemetryOption.intervalOf(3600)).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {0.0004, -0.0001, -1, 0.0999, 3600.1, Double.NaN, Double.POSITIVE_INFINITY})
  void rejectsInvalidIntervals(double seconds) {
    assertThatThrownBy(() -> TelemetryOption.intervalOf(seconds))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--telemetry-interval " + seconds + ": give 0.1 to 3600 seconds, or 0 for none");
  }
}
