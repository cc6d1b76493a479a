package org.fedometer.analysis.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.analysis.text.Page.Paint;
import org.junit.jupiter.api.Test;

class PageTest {
  /** One character, two units. */
  private static final String CLEF = "\ud834\udd1e";

  @Test
  void aWordLongerThanALineIsBrokenBetweenCharacters() {
    Page page = new Page(new TextStyle(60, true, false));
    page.prose("", "x" + CLEF.repeat(40), Paint.PLAIN);

    assertThat(page.toString().lines()).containsExactly("x" + CLEF.repeat(29), CLEF.repeat(11));
  }
}
