package org.fedometer.datasets.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RandomTest {

  @Test
  void numbersArePinned() {
    StableRandom random = StableRandom.of(1, 2, 3);

    assertThat(LongStream.generate(random::nextLong).limit(3))
        .containsExactly(2822983698276813724L, -8763892849437320866L, -8051500199865760501L);
  }

  @Test
  void seedStreamAndIndexAllMatter() {
    assertThat(
            LongStream.of(
                    StableRandom.of(1, 1, 1).nextLong(),
                    StableRandom.of(2, 1, 1).nextLong(),
                    StableRandom.of(1, 2, 1).nextLong(),
                    StableRandom.of(1, 1, 2).nextLong(),
                    StableRandom.of(1, 1, Long.MAX_VALUE).nextLong())
                .distinct())
        .hasSize(5);
  }

  @Test
  void boundedNumbersCoverTheirRange() {
    StableRandom random = StableRandom.of(5, 0, 0);

    assertThat(IntStream.generate(() -> random.nextBetween(3, 7)).limit(1000).distinct().sorted())
        .containsExactly(3, 4, 5, 6, 7);
  }

  @Test
  void poissonHasItsMean() {
    StableRandom random = StableRandom.of(5, 0, 0);

    assertThat(IntStream.generate(() -> random.nextPoisson(1.5)).limit(20_000).average())
        .hasValueCloseTo(1.5, within(0.03));
  }

  @Test
  void normalQuantilesAreThoseOfTheTables() {
    assertThat(Normal.quantile(0.5)).isZero();
    assertThat(Normal.quantile(0.3)).isCloseTo(-0.5244005127080407, within(1e-14));
    assertThat(Normal.quantile(0.975)).isCloseTo(1.959963984540054, within(1e-14));
    assertThat(Normal.quantile(1e-10)).isCloseTo(-6.361340902404056, within(1e-12));
    assertThat(Normal.share(1.959963984540054)).isCloseTo(0.975, within(1e-12));
    assertThat(Normal.share(-50)).isZero();
    assertThat(Normal.share(50)).isOne();
  }

  /** By the closed form, worked out elsewhere: cut there, 25 KB and 1.27 make 55.15 KB. */
  @Test
  void sizesKeepTheirMedianMeanAndBounds() {
    LogNormalSizes sizes = new LogNormalSizes(25_000, 1.27, 2_000, 13_000_000);
    StableRandom random = StableRandom.of(5, 0, 0);
    int[] drawn = IntStream.generate(() -> sizes.next(random)).limit(400_000).sorted().toArray();

    assertThat(sizes.meanBytes()).isCloseTo(55_147.7, within(0.1));
    assertThat(IntStream.of(drawn).average()).hasValueCloseTo(55_147.7, within(550.0));
    assertThat(drawn[200_000]).isCloseTo(25_000, within(250));
    assertThat(drawn[0]).isBetween(2_000, 2_010);
    assertThat(drawn[399_999]).isBetween(5_000_000, 13_000_000);
  }

  /** Half of what such a curve has lies below the least size: the median still comes out. */
  @Test
  void sizesKeepTheirMedianWhereMuchIsCut() {
    LogNormalSizes sizes = new LogNormalSizes(3_000, 0.6, 2_000, 64_000);
    StableRandom random = StableRandom.of(6, 0, 0);
    int[] drawn = IntStream.generate(() -> sizes.next(random)).limit(100_000).sorted().toArray();

    assertThat(drawn[50_000]).isCloseTo(3_000, within(30));
    assertThat(sizes.meanBytes()).isCloseTo(3_478.6, within(0.1));
    assertThat(IntStream.of(drawn).average()).hasValueCloseTo(3_478.6, within(35.0));
  }

  @Test
  void countsKeepTheirQuartiles() {
    SkewedCounts counts = new SkewedCounts(8, 14, 21, 224);
    StableRandom random = StableRandom.of(7, 0, 0);
    int[] drawn = IntStream.generate(() -> counts.next(random)).limit(100_000).sorted().toArray();

    assertThat(drawn[25_000]).isEqualTo(8);
    assertThat(drawn[50_000]).isEqualTo(14);
    assertThat(drawn[75_000]).isEqualTo(21);
    assertThat(drawn[0]).isEqualTo(1);
    assertThat(drawn[99_999]).isBetween(100, 224);
    assertThatThrownBy(() -> new SkewedCounts(8, 8, 21, 224))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lower < median");
  }

  @Test
  void sizesRefuseBoundsThatExcludeTheMedian() {
    assertThatThrownBy(() -> new LogNormalSizes(1_000, 1, 2_000, 3_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("least < median");
  }
}
