package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Foreign text that steers no terminal. */
class SafeLineTest {

  @Test
  void escapesControlAndFormatCharacters() {
    assertThat(SafeLine.of("a\u001b[2Jb")).isEqualTo("a\\u001b[2Jb");
    assertThat(SafeLine.of("one\ntwo\r\tthree")).isEqualTo("one\\ntwo\\r\\tthree");
    assertThat(SafeLine.of("c1 \u009b31m")).isEqualTo("c1 \\u009b31m");
    assertThat(SafeLine.of("bidi \u202egnp.exe \u2066x\u2069"))
        .isEqualTo("bidi \\u202egnp.exe \\u2066x\\u2069");
    assertThat(SafeLine.of("\u2028\u200b\ufeff\ud800!")).isEqualTo("\\u2028\\u200b\\ufeff\\ud800!");
    assertThat(SafeLine.of("\udb40\udc01")).isEqualTo("\\udb40\\udc01");
  }

  @Test
  void everythingElseStays() {
    assertThat(SafeLine.of("Größe, 日本語, 😀, \\ and /")).isEqualTo("Größe, 日本語, 😀, \\ and /");
    assertThat(SafeLine.lines("one\n\ttwo\u001b")).isEqualTo("one\n\ttwo\\u001b");
  }

  @Property(tries = 300)
  void leavesNoControlCharacterInAnyText(@ForAll String text) {
    assertThat(SafeLine.of(text).codePoints())
        .noneMatch(Character::isISOControl)
        .noneMatch(c -> Character.getType(c) == Character.FORMAT);
    assertThat(SafeLine.lines(text).codePoints().filter(c -> c != '\n' && c != '\t'))
        .noneMatch(Character::isISOControl);
  }
}
