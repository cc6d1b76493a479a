package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StoredLiteralTest {

  /** Lengths of what MPTStore 0.9.5 makes of these. */
  @Test
  void lengthIsThatOfMptstoresEscapes() {
    assertThat(StoredLiteral.storedBytes("plain")).isEqualTo(7);
    assertThat(StoredLiteral.storedBytes("q\"b\\t\tn\nr\r")).isEqualTo(17);
    assertThat(StoredLiteral.storedBytes("\u00e9\u2014\u0007\u007f")).isEqualTo(26);
    assertThat(StoredLiteral.storedBytes("\ud83d\ude00")).isEqualTo(14);
  }

  @Property
  void cutTextFitsAndIsABeginning(
      @ForAll String text, @ForAll @IntRange(min = 2, max = 300) int limit) {
    String cut = StoredLiteral.cut(text, limit);

    assertThat(StoredLiteral.storedBytes(cut)).isLessThanOrEqualTo(Math.max(2, limit));
    assertThat(text).startsWith(cut);
    if (StoredLiteral.storedBytes(text) <= limit) {
      assertThat(cut).isEqualTo(text);
    }
  }

  @Test
  void cutsBetweenWordsAndNeverThroughACharacter() {
    assertThat(StoredLiteral.cut("one two three", 11)).isEqualTo("one two");
    assertThat(StoredLiteral.cut("\ud83d\ude00\ud83d\ude00", 20)).isEqualTo("\ud83d\ude00");
  }
}
