package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
  private static final List<String> WORDS = List.of("run", "report", "runs", "rm", "up");

  @Test
  void aWordOfOneOrTwoSlipsIsFound() {
    assertThat(Spelling.near("reprot", WORDS)).containsExactly("report");
    assertThat(Spelling.near("reort", WORDS)).containsExactly("report");
    assertThat(Spelling.near("reporrtt", WORDS)).containsExactly("report");
    assertThat(Spelling.near("rerpotr", WORDS)).containsExactly("report");
    assertThat(Spelling.near("epoxr", WORDS)).isEmpty();
  }

  @Test
  void ofSeveralWordsOnlyTheNearestAreMeant() {
    assertThat(Spelling.near("rnu", WORDS)).containsExactly("run");
    assertThat(Spelling.near("ru", WORDS)).containsExactly("run", "rm");
  }

  @Test
  void aWordOfWhichNoLetterIsRightIsNotMeant() {
    assertThat(Spelling.near("xy", WORDS)).isEmpty();
    assertThat(Spelling.meant("xy", List.of("up", "rm"))).isEqualTo("; there are: up, rm");
    assertThat(Spelling.perhaps("xy", WORDS)).isEmpty();
    assertThat(Spelling.perhaps("ru", WORDS)).isEqualTo("; perhaps you mean run or rm");
    assertThat(Spelling.near("u", WORDS)).containsExactly("up");
  }

  @Test
  void whatSomebodyHasBegunToTypeIsMeantWhereOnlyOneWordBeginsSo() {
    List<String> profiles = List.of("mptstore-postgresql", "fiz-mptstore-postgresql", "mulgara");

    assertThat(Spelling.near("mptstore-postgre", profiles)).containsExactly("mptstore-postgresql");
    assertThat(Spelling.near("mul", profiles)).isEmpty();
    assertThat(Spelling.near("mptstore", List.of("mptstore-mysql", "mptstore-derby"))).isEmpty();
  }
}
