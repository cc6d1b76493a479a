package org.fedometer.benchmarks.fedora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RatioIntervalTest {
  private static final double EXACT = 1e-6;

  /** The quantile for 4 degrees of freedom is 2.776445, as printed in any table. */
  @Test
  void isTheGeometricMeanWithTheQuantileOfStudentsTable() {
    List<Double> logRatios = logarithms(0.96, 0.97, 0.99, 1.00, 1.02);
    double mean = logRatios.stream().mapToDouble(x -> x).sum() / 5;
    double squares = logRatios.stream().mapToDouble(x -> Math.pow(x - mean, 2)).sum();
    double half = 2.776445 * Math.sqrt(squares / 4) / Math.sqrt(5);

    RatioInterval interval = RatioInterval.of(logRatios, 0.95);

    assertThat(interval.pairs()).isEqualTo(5);
    assertThat(interval.ratio())
        .isCloseTo(Math.pow(0.96 * 0.97 * 0.99 * 1.00 * 1.02, 1.0 / 5), within(EXACT));
    assertThat(interval.low()).isCloseTo(Math.exp(mean - half), within(EXACT));
    assertThat(interval.high()).isCloseTo(Math.exp(mean + half), within(EXACT));
  }

  @Test
  void ofTwoRatiosIsWide() {
    // 12.7062 for one degree of freedom; the standard error of -0.01 and 0.01 is 0.01.
    RatioInterval interval = RatioInterval.of(List.of(-0.01, 0.01), 0.95);

    assertThat(interval.ratio()).isCloseTo(1, within(EXACT));
    assertThat(interval.low()).isCloseTo(Math.exp(-0.127062), within(EXACT));
    assertThat(interval.high()).isCloseTo(Math.exp(0.127062), within(EXACT));
  }

  @Test
  void ofEqualRatiosIsAPoint() {
    RatioInterval interval = RatioInterval.of(logarithms(0.99, 0.99, 0.99), 0.95);

    assertThat(interval.low()).isCloseTo(0.99, within(EXACT));
    assertThat(interval.high()).isCloseTo(0.99, within(EXACT));
  }

  @Test
  void isWiderForHigherConfidence() {
    List<Double> logRatios = logarithms(0.96, 0.97, 0.99, 1.00, 1.02);

    assertThat(RatioInterval.of(logRatios, 0.998).low())
        .isLessThan(RatioInterval.of(logRatios, 0.95).low());
  }

  @Test
  void coversTheTrueRatioAtItsConfidence() {
    Random random = new Random(11);
    int held = 0;
    for (int trial = 0; trial < 4_000; trial++) {
      List<Double> logRatios =
          Stream.generate(() -> Math.log(0.98) + 0.05 * random.nextGaussian()).limit(12).toList();
      RatioInterval interval = RatioInterval.of(logRatios, 0.95);
      if (interval.low() <= 0.98 && 0.98 <= interval.high()) {
        held++;
      }
    }
    assertThat(held / 4_000.0).isCloseTo(0.95, within(0.012));
  }

  @Test
  void refusesTooFewRatiosAndNoConfidence() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RatioInterval.of(List.of(0.1), 0.95))
        .withMessageContaining("two ratios at least");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RatioInterval.of(List.of(0.1, 0.2), 95))
        .withMessageContaining("between 0 and 1");
  }

  private static List<Double> logarithms(double... ratios) {
    return Arrays.stream(ratios).map(Math::log).boxed().toList();
  }
}
