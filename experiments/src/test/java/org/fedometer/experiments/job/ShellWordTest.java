package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShellWordTest {

  @Test
  void whatNoShellTouchesStaysAsItIs() {
    assertThat(ShellWord.of("--collector")).isEqualTo("--collector");
    assertThat(ShellWord.of("a_b/c.yaml:1@x=2,3")).isEqualTo("a_b/c.yaml:1@x=2,3");
  }

  @Test
  void allElseStandsInSingleQuotes() {
    assertThat(ShellWord.of("a b$(c)")).isEqualTo("'a b$(c)'");
    assertThat(ShellWord.of("it's")).isEqualTo("'it'\\''s'");
    assertThat(ShellWord.of("")).isEqualTo("''");
    assertThat(ShellWord.of("a\nb")).isEqualTo("'a\nb'");
  }
}
