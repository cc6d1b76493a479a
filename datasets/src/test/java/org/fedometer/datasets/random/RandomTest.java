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

  @Test
  void sizesKeepTheirMeanAndBounds() {
    LogNormalSizes sizes = new LogNormalSizes(25_000, 1.25, 2_000, 13_000_000);
    StableRandom random = StableRandom.of(5, 0, 0);
    int[] drawn = IntStream.generate(() -> sizes.next(random)).limit(400_000).toArray();

    assertThat(sizes.meanBytes()).isBetween(55_000.0, 56_000.0);
    assertThat(IntStream.of(drawn).average()).hasValueCloseTo(sizes.meanBytes(), within(1_000.0));
    assertThat(IntStream.of(drawn).min().orElseThrow()).isBetween(2_000, 2_100);
    assertThat(IntStream.of(drawn).max().orElseThrow()).isBetween(5_000_000, 13_000_000);
  }

  @Test
  void sizesRefuseBoundsThatExcludeTheMedian() {
    assertThatThrownBy(() -> new LogNormalSizes(1_000, 1, 2_000, 3_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("least < median");
  }
}
