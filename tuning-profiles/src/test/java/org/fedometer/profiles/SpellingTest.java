package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
  private static final List<String> WORDS = List.of("run", "report", "runs", "rm", "up");

  @Test
  void aWordOfOneOrTwoSlipsIsFound() {
    assertThat(Spelling.nearest("reprot", WORDS)).containsExactly("report");
    assertThat(Spelling.nearest("reort", WORDS)).containsExactly("report");
    assertThat(Spelling.nearest("reporrtt", WORDS)).containsExactly("report");
    assertThat(Spelling.nearest("rerpotr", WORDS)).containsExactly("report");
    assertThat(Spelling.nearest("epoxr", WORDS)).isEmpty();
  }

  @Test
  void ofSeveralWordsOnlyTheNearestAreMeant() {
    assertThat(Spelling.nearest("rnu", WORDS)).containsExactly("run");
    assertThat(Spelling.nearest("ru", WORDS)).containsExactly("run", "rm");
  }

  @Test
  void aWordOfWhichNoLetterIsRightIsNotMeant() {
    assertThat(Spelling.nearest("xy", WORDS)).isEmpty();
    assertThat(Spelling.suggestionOrAll("xy", List.of("up", "rm")))
        .isEqualTo("; there are: up, rm");
    assertThat(Spelling.suggestion("xy", WORDS)).isEmpty();
    assertThat(Spelling.suggestion("ru", WORDS)).isEqualTo("; perhaps you mean run or rm");
    assertThat(Spelling.nearest("u", WORDS)).containsExactly("up");
  }

  @Test
  void suggestsTheOnlyWordWithThePrefix() {
    List<String> profiles = List.of("mptstore-postgresql", "fiz-mptstore-postgresql", "mulgara");

    assertThat(Spelling.nearest("mptstore-postgre", profiles))
        .containsExactly("mptstore-postgresql");
    assertThat(Spelling.nearest("mul", profiles)).isEmpty();
    assertThat(Spelling.nearest("mptstore", List.of("mptstore-mysql", "mptstore-derby"))).isEmpty();
  }
}
