package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TablesTest {

  @Test
  void aTextThatIsPutBackIsTheTextThatWasThere() {
    String text = "C:\\new, Fedora's";
    assertThat(Tables.literal(text, "jdbc:postgresql://localhost/fedora"))
        .isEqualTo("'C:\\new, Fedora''s'");
    assertThat(Tables.literal(text, "jdbc:mysql://localhost/fedora"))
        .isEqualTo("'C:\\\\new, Fedora''s'");
  }

  @Test
  void aPidInAPatternStandsForItself() {
    assertThat(LegacyStore.escapeLike("my_ns:100%41!")).isEqualTo("my!_ns:100!%41!!");
    assertThat(LegacyStore.escapeLike("patents:1")).isEqualTo("patents:1");
  }
}
