package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

  @ParameterizedTest
  @CsvSource({
    // Wholly inside of 3 %, with or without 1 in it.
    "0.98, 1.02, same, same",
    "1.001, 1.029, same, same",
    "0.97, 1.03, same, same",
    "1, 1, same, same",
    // Excludes 1 and is not inside.
    "1.01, 1.05, better, worse",
    "1.20, 1.31, better, worse",
    "0.90, 0.99, worse, better",
    // Holds 1 and is not inside.
    "0.96, 1.02, inconclusive, inconclusive",
    "0.50, 2.00, inconclusive, inconclusive",
    "1.00, 1.05, inconclusive, inconclusive",
  })
  void followsFromTheIntervalAndFromWhatIsBetter(
      double low, double high, String ofThroughput, String ofLatency) {
    assertThat(Verdict.of(Metric.THROUGHPUT, low, high, 0.03).jsonName()).isEqualTo(ofThroughput);
    assertThat(Verdict.of(Metric.P99, low, high, 0.03).jsonName()).isEqualTo(ofLatency);
  }

  @Test
  void withoutAThresholdAnyDifferenceMatters() {
    assertThat(Verdict.of(Metric.MEAN, 1.0001, 1.0002, 0)).isEqualTo(Verdict.WORSE);
    assertThat(Verdict.of(Metric.MEAN, 0.9999, 1.0002, 0)).isEqualTo(Verdict.INCONCLUSIVE);
  }

  @Test
  void refusesWhatIsNoIntervalOrNoShare() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Verdict.of(Metric.MEAN, 1.1, 0.9, 0.03))
        .withMessageContaining("1.1 and 0.9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Verdict.of(Metric.MEAN, 0.9, 1.1, 3))
        .withMessageContaining("such as 0.03, but is 3.0");
  }
}
