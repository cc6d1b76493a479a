package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {

  /** Throughput is 0.95 times the baseline's, from 0.90 to 1.01; nothing else is known. */
  private static ProfileComparison comparison() {
    RatioEstimate estimate =
        new RatioEstimate(
            Metric.THROUGHPUT,
            0.95,
            0.90,
            1.01,
            0.95,
            0.1,
            0.1,
            Scope.BETWEEN_RUNS,
            Verdict.INCONCLUSIVE);
    MeasuredProfile baseline = new MeasuredProfile("one", "A", List.of());
    MeasuredProfile profile = new MeasuredProfile("two", "B", List.of());
    Contender contender =
        new Contender(
            baseline,
            profile,
            new Sides(List.of(), List.of(), false),
            List.of(estimate),
            List.of(),
            List.of(),
            new RunDifference(
                new EnvironmentDifference(List.of(), List.of(), List.of()),
                null,
                List.of(),
                List.of()));
    return new ProfileComparison(
        null,
        Choices.DEFAULT,
        null,
        List.of(baseline, profile),
        List.of(contender),
        List.of(),
        List.of(),
        List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "throughput < 0.97, true",
    "throughput<.95, false",
    "throughput <= 0.95, true",
    "throughput.low < 0.9, false",
    "throughput.low <= 0.9, true",
    "throughput.high > 1, true",
    "throughput >= 0.96, false",
    "throughput inconclusive, true",
    "throughput worse, false",
    "p99 > 1000, true",
    "response.p99 worse, true"
  })
  void aGateFailsIfItsConditionHoldsOrIsUnknown(String condition, boolean failed) {
    Gate.Result result = Gate.results(List.of(Gate.parse(condition)), comparison()).get(0);

    assertThat(result.failed()).isEqualTo(failed);
    assertThat(result.contender()).isEqualTo("two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "throughput",
        "throughput < ",
        "throughput < -1",
        "throughput = 1",
        "p98 > 1",
        "p99.low worse",
        "response.throughput < 1",
        "throughput < 1 and p99 > 2",
        "meanworse"
      })
  void whatIsNoConditionIsRefused(String text) {
    assertThatThrownBy(() -> Gate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' is not a condition");
  }
}
