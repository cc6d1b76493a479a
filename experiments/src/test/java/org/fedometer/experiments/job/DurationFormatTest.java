package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationFormatTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "59, 59 s",
    "60, 1 min 0 s",
    "725, 12 min 5 s",
    "12000, 3 h 20 min",
    "86399, 23 h 59 min",
    "190800, 2 d 5 h"
  })
  void durationsKeepTwoUnits(long seconds, String texts) {
    assertThat(DurationFormat.format(seconds)).isEqualTo(texts);
  }

  @ParameterizedTest
  @CsvSource({"50, 50 s", "725, 12 min", "3590, hour", "3600, hour", "18000, 5 h"})
  void approximateKeepsOneUnit(long seconds, String texts) {
    assertThat(DurationFormat.approximate(seconds)).isEqualTo(texts);
  }

  @ParameterizedTest
  @CsvSource({"90, 90s", "120, 2m", "200, 200s", "28800, 8h", "259200, 3d"})
  void optionValueIsWhatOptionsAccept(long seconds, String texts) {
    assertThat(DurationFormat.optionValue(Duration.ofSeconds(seconds))).isEqualTo(texts);
  }
}
