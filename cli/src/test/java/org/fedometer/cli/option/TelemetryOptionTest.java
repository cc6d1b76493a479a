package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TelemetryOptionTest {

  @Test
  void acceptsTimesAndZeroForNever() {
    assertThat(interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(interval("--telemetry-interval", "0s")).isZero();
    assertThat(interval("--telemetry-interval", "100ms")).isEqualTo(Duration.ofMillis(100));
    assertThat(interval("--telemetry-interval", "10s")).isEqualTo(Duration.ofSeconds(10));
    assertThat(interval("--telemetry-interval", "1h")).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "0.5", "1.5s", "-1s", "0ms", "NaN", "3w", "ms", ""})
  void rejectsWhatIsNoTime(String text) {
    assertThatThrownBy(() -> interval("--telemetry-interval", text))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining(
            "'" + text + "' is not a duration; give a whole number above 0 with ms, s,");
  }

  @ParameterizedTest
  @CsvSource({"99ms, 99ms", "3601s, 3601s", "2h, 7200s", "3600001ms, 3600001ms"})
  void rejectsTimesOutOfRange(String text, String shown) {
    assertThatThrownBy(() -> interval("--telemetry-interval", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--telemetry-interval " + shown + ": give 100ms to 1h, or 0s for none");
  }

  private static Duration interval(String... arguments) {
    TelemetryOption option = new TelemetryOption();
    new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("telemetry", specOf(option)))
        .parseArgs(arguments);
    return option.interval();
  }

  private static CommandLine.Model.CommandSpec specOf(TelemetryOption option) {
    return CommandLine.Model.CommandSpec.forAnnotatedObject(option);
  }
}
