package org.fedometer.analysis.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class PlotScaleTest {

  @Test
  void equalFactorsAreEquallyFarApart() {
    PlotScale scale = PlotScale.ratios(0.25, 4);

    assertThat(scale.percent(1)).isCloseTo(50, within(1e-9));
    assertThat(scale.percent(2) - scale.percent(1))
        .isCloseTo(scale.percent(1) - scale.percent(0.5), within(1e-9));
    assertThat(scale.ticks(Double::toString)).extracting(PlotScale.Tick::text).contains("1.0");
  }

  @Test
  void whatLiesBeyondAnEndIsAtThatEnd() {
    PlotScale scale = PlotScale.linear(-1, 3);

    assertThat(scale.percent(Double.POSITIVE_INFINITY)).isEqualTo(98);
    assertThat(scale.percent(-7)).isEqualTo(2);
    assertThat(scale.holds(3.1)).isFalse();
  }

  @Property
  void ticksAreInOrderAndDoNotOverlap(
      @ForAll @DoubleRange(min = 0.01, max = 1) double from,
      @ForAll @DoubleRange(min = 0, max = 1_000) double width) {
    for (PlotScale scale :
        List.of(
            PlotScale.ratios(from, from + width),
            PlotScale.linear(from, from + width),
            PlotScale.linear(-from, width))) {
      List<Double> places =
          scale.ticks(Double::toString).stream()
              .map(tick -> Double.parseDouble(tick.place()))
              .toList();
      assertThat(places).isSorted().hasSizeLessThan(8);
      for (int i = 1; i < places.size(); i++) {
        assertThat(places.get(i) - places.get(i - 1)).isGreaterThan(12);
      }
    }
  }
}
