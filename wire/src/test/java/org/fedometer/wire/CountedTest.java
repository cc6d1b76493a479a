package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {

  @Test
  void oneIsInTheSingularAndAllElseInThePlural() {
    assertThat(Counted.of(0, "object")).isEqualTo("0 objects");
    assertThat(Counted.of(1, "object")).isEqualTo("1 object");
    assertThat(Counted.of(1_081, "object")).isEqualTo("1,081 objects");
    assertThat(Counted.of(999, "object")).isEqualTo("999 objects");
    assertThat(Counted.of(-1_000, "object")).isEqualTo("-1,000 objects");
    assertThat(Counted.of(-100, "object")).isEqualTo("-100 objects");
  }

  @Test
  void aVerbGoesWithItsNoun() {
    assertThat(Counted.of(1, "flush is", "flushes are")).isEqualTo("1 flush is");
    assertThat(Counted.of(1_000_000, "flush is", "flushes are")).isEqualTo("1,000,000 flushes are");
  }
}
