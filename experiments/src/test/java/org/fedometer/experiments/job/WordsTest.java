package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

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
  void durationsKeepTwoUnits(long seconds, String words) {
    assertThat(Words.duration(seconds)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({"50, 50 s", "725, 12 min", "3590, hour", "3600, hour", "18000, 5 h"})
  void aboutKeepsOneUnit(long seconds, String words) {
    assertThat(Words.about(seconds)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({"90, 90s", "120, 2m", "200, 200s", "28800, 8h", "259200, 3d"})
  void exactlyIsWhatOptionsTake(long seconds, String words) {
    assertThat(Words.exactly(Duration.ofSeconds(seconds))).isEqualTo(words);
  }
}
