package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ContentKeyTest {

  @Test
  void rejectsNamesWithAPlus() {
    ContentKey one = new ContentKey("a:1", "I+D", "X");
    ContentKey other = new ContentKey("a:1", "I", "D+X");
    assertThat(one).isNotEqualTo(other).hasToString(other.toString());
    assertThat(one).isEqualTo(new ContentKey("a:1", "I+D", "X"));
    assertThat(one).hasSameHashCodeAs(new ContentKey("a:1", "I+D", "X"));

    Map<ContentKey, String> sorted = new TreeMap<>(Map.of(one, "one", other, "other"));
    assertThat(sorted).hasSize(2).containsEntry(one, "one").containsEntry(other, "other");
  }

  @Test
  void aTokenOfTheOlderStoreHasThreeParts() {
    assertThat(ContentKey.of("a:1+DS+DS.0")).isEqualTo(new ContentKey("a:1", "DS", "DS.0"));
    assertThat(ContentKey.of("a:1")).isNull();
    assertThat(ContentKey.of("a:1+I+D+X")).isNull();
    assertThat(ContentKey.of(null)).isNull();
  }
}
