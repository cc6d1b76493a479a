package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockLengthTest {

  /** Python, arch 8.0.0: {@code optimal_block_length(series)["stationary"]}. */
  @ParameterizedTest
  @CsvSource({
    "1000, 0, 1.9665893129811973",
    "1000, 0.3, 8.477612140428963",
    "1000, 0.7, 15.44948740832496",
    "1000, 0.95, 47.87523460159267",
    "200, 0.5, 6.735289751135019",
    "50, 0.9, 9.53882503228159",
    "1000, -0.5, 10.61992892193995",
  })
  void isWhatOthersFind(int size, double stays, double expected) {
    assertThat(BlockLength.stationary(ReferenceSeries.autoregression(size, stays)))
        .isCloseTo(Math.max(1, expected), within(1e-6));
  }

  /** From the same program. */
  @Test
  void isWhatOthersFindForTheNile() {
    assertThat(BlockLength.stationary(ReferenceSeries.NILE))
        .isCloseTo(12.333494258282622, within(1e-6));
  }

  @Test
  void doesNotDependOnTheUnit() {
    double[] seconds = ReferenceSeries.autoregression(500, 0.6);
    double[] nanos = Arrays.stream(seconds).map(x -> 1e9 * x).toArray();
    assertThat(BlockLength.stationary(nanos))
        .isCloseTo(BlockLength.stationary(seconds), within(1e-9));
  }

  @Test
  void isOneWhereNothingVaries() {
    double[] constant = new double[100];
    Arrays.fill(constant, 0.1);
    assertThat(BlockLength.stationary(constant)).isEqualTo(1);
  }

  @Test
  void refusesAHandful() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockLength.stationary(new double[7]))
        .withMessageContaining("8 observations or more, not from 7");
  }
}
