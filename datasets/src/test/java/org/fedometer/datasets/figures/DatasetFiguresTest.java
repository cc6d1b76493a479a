package org.fedometer.datasets.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;

class DatasetFiguresTest {

  @Property(tries = 500)
  void barsJoinEachOtherAndHoldEveryValue(
      @ForAll @NotEmpty List<@LongRange(min = 0, max = 1L << 40) Long> values) {
    Distribution distribution =
        new Distribution(values.stream().mapToLong(Long::longValue).toArray());

    List<Distribution.Bar> bars = distribution.histogram();

    assertThat(bars).hasSizeBetween(1, 13);
    assertThat(bars.stream().mapToInt(Distribution.Bar::count).sum()).isEqualTo(values.size());
    for (int i = 0; i < bars.size(); i++) {
      Distribution.Bar bar = bars.get(i);
      assertThat(bar.count())
          .isEqualTo(
              (int)
                  values.stream().filter(value -> value >= bar.from() && value < bar.to()).count());
      assertThat(bar.from()).isLessThan(bar.to());
      assertThat(i == 0 ? bar.from() : bars.get(i - 1).to()).isEqualTo(bar.from());
    }
  }

  @Example
  void quantilesAreValuesThatOccur() {
    Distribution distribution = new Distribution(new long[] {9, 1, 3, 7, 5});

    assertThat(distribution.least()).isEqualTo(1);
    assertThat(distribution.most()).isEqualTo(9);
    assertThat(distribution.mean()).isEqualTo(5);
    assertThat(distribution.quantile(0.5)).isEqualTo(5);
    assertThat(distribution.quantile(0.95)).isEqualTo(9);
    assertThat(distribution.quantile(0)).isEqualTo(1);
  }

  @Example
  void aSampleOfThePaperScaleIsLikeTheStudy() throws Exception {
    DatasetFigures figures =
        DatasetFigures.of(Datasets.open("patents", DatasetOptions.unlimited("fm")), 1000, 300);

    assertThat(measure(figures, "triples").mean()).isCloseTo(54, within(2.0));
    assertThat(measure(figures, "dc fields").least()).isEqualTo(10);
    assertThat(measure(figures, "content streams").most()).isEqualTo(3);
    assertThat(measure(figures, "file FULLTEXT").count()).isEqualTo(300);
    assertThat(measure(figures, "foxml request").least())
        .isGreaterThan(measure(figures, "content").least());
    assertThat(figures.deflation())
        .extracting(DatasetFigures.Deflation::datastream)
        .containsExactlyInAnyOrder("FULLTEXT", "PDF", "IMAGE");
    assertThat(figures.deflation().get(0).ratio()).isBetween(0.20, 0.25);
    assertThat(figures.deflation().get(0).study()).startsWith("0.20 to 0.25");
  }

  @Example
  void shortDocumentsAreHeldAgainstShortOnes() throws Exception {
    DatasetFigures figures =
        DatasetFigures.of(Datasets.open("patents:small", DatasetOptions.unlimited("fm")), 0, 200);

    assertThat(figures.deflation().get(0).study()).startsWith("0.34 to 0.40").contains("3 to 4 KB");
  }

  @Example
  void aSampleHasAnObject() {
    assertThatThrownBy(
            () ->
                DatasetFigures.of(
                    Datasets.open("patents:small", DatasetOptions.unlimited("fm")), 0, 0))
        .hasMessageContaining("at least one object");
  }

  private static Distribution measure(DatasetFigures figures, String name) {
    return figures.measures().stream()
        .filter(measure -> measure.name().equals(name))
        .findFirst()
        .orElseThrow()
        .distribution();
  }
}
