package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HolmTest {

  /** By hand: 4 x 0.005, 3 x 0.011, 2 x 0.02, 1 x 0.04 = 0.04, none below the one before. */
  @Test
  void multipliesBySoManyAsAreLeft() {
    assertThat(Holm.adjusted(new double[] {0.02, 0.005, 0.04, 0.011}))
        .containsExactly(new double[] {0.04, 0.02, 0.04, 0.033}, within(1e-12));
  }

  /** By hand: 3 x 0.03 = 0.09; 2 x 0.04 = 0.08 is below that; 3 x 0.5 is bounded by 1. */
  @Test
  void neverFallsBelowASmallerOneAndNeverExceedsOne() {
    assertThat(Holm.adjusted(new double[] {0.03, 0.04, 0.05}))
        .containsExactly(new double[] {0.09, 0.09, 0.09}, within(1e-12));
    assertThat(Holm.adjusted(new double[] {0.5, 0.9, 0.6})).containsExactly(1, 1, 1);
    assertThat(Holm.adjusted(new double[] {0.03})).containsExactly(0.03);
  }

  /** 0.001 against 0.05/3, 0.03 against 0.05/2: there it stops, and 0.04 has the same level. */
  @Test
  void intervalsHaveTheLevelAtWhichTheirVerdictWasMade() {
    assertThat(Holm.levels(new double[] {0.04, 0.001, 0.03}, 0.05))
        .containsExactly(new double[] {0.025, 0.05 / 3, 0.025}, within(1e-12));
  }

  @Property(tries = 500)
  void intervalsAgreeWithAdjustedPValues(
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0, max = 0.2) Double> values) {
    double[] pValues = values.stream().mapToDouble(Double::doubleValue).toArray();
    double[] adjusted = Holm.adjusted(pValues);
    double[] levels = Holm.levels(pValues, 0.05);
    for (int i = 0; i < pValues.length; i++) {
      // Rounding decides where p-value and level are equal.
      if (Math.abs(adjusted[i] - 0.05) > 1e-9) {
        assertThat(pValues[i] <= levels[i]).isEqualTo(adjusted[i] <= 0.05);
      }
    }
  }

  @Test
  void refusesWhatIsNoProbability() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Holm.adjusted(new double[] {0.1, Double.NaN}))
        .withMessageContaining("NaN");
  }
}
