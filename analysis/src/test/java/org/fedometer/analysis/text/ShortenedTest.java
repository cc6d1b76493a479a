package org.fedometer.analysis.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortenedTest {
  /** One character, two units. */
  private static final String CLEF = "\ud834\udd1e";

  @Test
  void aTextThatFitsStaysAsItIs() {
    assertThat(Shortened.beginning("abc", 3)).isEqualTo("abc");
    assertThat(Shortened.marked("abc", 3)).isEqualTo("abc");
  }

  @Test
  void aLongerOneIsCutAndMarked() {
    assertThat(Shortened.beginning("abcd", 3)).isEqualTo("abc");
    assertThat(Shortened.marked("abcd", 3)).isEqualTo("ab\u2026");
    assertThat(Shortened.beginning("abc", 0)).isEmpty();
  }

  @Test
  void noCharacterIsCutInTwo() {
    assertThat(Shortened.beginning("ab" + CLEF, 3)).isEqualTo("ab");
    assertThat(Shortened.beginning("a" + CLEF + "b", 3)).isEqualTo("a" + CLEF);
    assertThat(Shortened.marked("a" + CLEF + "b", 3)).isEqualTo("a\u2026");
  }
}
