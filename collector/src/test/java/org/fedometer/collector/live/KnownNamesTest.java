package org.fedometer.collector.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownNamesTest {
  private static final String LONG = "x".repeat(1024);
  private static final int MAX_LONG_NAMES = KnownNames.MAX_CHARS / LONG.length();

  private final KnownNames<String> names = new KnownNames<>(String::length);

  @Test
  void knowsLongNamesUpToTheCharacterLimit() {
    for (int number = 0; number < 2 * MAX_LONG_NAMES; number++) {
      names.learn(Map.of(number, LONG));
    }

    assertThat(names.byNumber()).hasSize(MAX_LONG_NAMES);
  }

  @Test
  void shortNamesAreKnownUpToTheirNumber() {
    for (int number = 0; number < 2 * KnownNames.MAX_NAMES; number++) {
      names.learn(Map.of(number, ""));
    }

    assertThat(names.byNumber()).hasSize(KnownNames.MAX_NAMES);
  }

  @Test
  void renamingUsesNoExtraSpace() {
    for (int i = 0; i < 2 * MAX_LONG_NAMES; i++) {
      names.learn(Map.of(1, LONG));
    }
    names.learn(Map.of(0, "ingest"));

    assertThat(names.byNumber()).containsOnly(Map.entry(0, "ingest"), Map.entry(1, LONG));
  }

  @Test
  void forgetsTheOldNameWhenTheNewOneDoesNotFit() {
    names.learn(Map.of(-1, "before"));
    for (int number = 0; number < MAX_LONG_NAMES; number++) {
      names.learn(Map.of(number, LONG));
    }
    names.learn(Map.of(-1, LONG + LONG));

    assertThat(names.byNumber()).doesNotContainKey(-1);
  }
}
