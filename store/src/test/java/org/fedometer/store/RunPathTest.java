package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "run.json",
        "my notes.txt",
        "...",
        "a..b/..c",
        " ",
        "größe \uD83D\uDE00.txt",
        "C:",
        "~",
        "a/b/c/d/e/f/g/h/i/j/k/l/m/n"
      })
  void aPathThatStaysInTheFolderIsPlain(String path) {
    assertThat(RunPath.isPlain(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "a/./b",
        "a/../../b",
        "..\\b",
        "a\nb",
        "a\rb",
        "a\u0000b",
        "a\u001b[2Jb",
        "a\u009bb",
        "a\uFFFDb",
        "a\uD83Db"
      })
  void aPathThatMayLeaveItOrIsAnotherElsewhereIsNot(String path) {
    assertThat(RunPath.isPlain(path)).isFalse();
  }

  @Test
  void pathsHaveTheLengthThatDocumentsMayHave() {
    String maxName = "x".repeat(255);
    assertThat(RunPath.isPlain(maxName + "/" + maxName + "/" + maxName + "/" + maxName)).isTrue();
    assertThat(RunPath.isPlain(maxName + "x")).isFalse();
    assertThat(RunPath.isPlain("x/".repeat(512) + "x")).isFalse();
  }
}
