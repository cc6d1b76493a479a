package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fedometer.analysis.SampleRun;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.text.TextStyle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Times of ingests by size of content: in JSON always, as a section where sizes differ much. */
class ContentSizesTest {

  private static final String HEADING = "Ingests by size of content";

  private TestRun run;

  @BeforeEach
  void fill() throws Exception {
    run = new TestRun();
    SampleRun.fill(run);
  }

  @AfterEach
  void close() throws Exception {
    run.close();
  }

  @Test
  void sizesOfOneOrderHaveNoSection() throws Exception {
    assertThat(text()).doesNotContain(HEADING);

    run.sql("UPDATE requests SET content_bytes = 99999 WHERE object_index < 9");
    assertThat(text()).doesNotContain(HEADING);
    assertThat(json()).hasSize(2);
  }

  @Test
  void sizesFarApartAreARowEach() throws Exception {
    run.sql(
        "UPDATE requests SET content_bytes = CASE object_index % 3 WHEN 0 THEN 999"
            + " WHEN 1 THEN 100000 ELSE 1000000 END");

    assertThat(text())
        .contains(HEADING)
        .containsPattern("below 1 kB +100 +99\\.9 kB +3\\d\\.\\d %")
        .containsPattern("100 kB to 1 MB +100 +10\\.0 MB +3\\d\\.\\d %")
        .containsPattern("1 to 10 MB +100 +100 MB +3\\d\\.\\d %");
    JsonNode sizes = json();
    assertThat(sizes.findValues("fromBytes"))
        .extracting(JsonNode::asLong)
        .containsExactly(0L, 100_000L, 1_000_000L);
    assertThat(sizes.findValues("toBytes"))
        .extracting(JsonNode::asLong)
        .containsExactly(1_000L, 1_000_000L, 10_000_000L);
    assertThat(sizes.findValues("bytes"))
        .extracting(JsonNode::asLong)
        .containsExactly(99_900L, 10_000_000L, 100_000_000L);
    assertThat(sizes.findValues("share").stream().mapToDouble(JsonNode::asDouble).sum())
        .isBetween(0.99999, 1.00001);
    assertThat(sizes.at("/0/serviceTime/count").asLong()).isEqualTo(100);
    assertThat(sizes.at("/0/serviceTime/p99Millis").asDouble()).isPositive();
  }

  @Test
  void countsSuccessfulIngestsOnly() throws Exception {
    run.sql("UPDATE requests SET content_bytes = 5000000 WHERE object_index < 9");
    run.sql("UPDATE requests SET status = 500 WHERE object_index < 4");
    run.sql("UPDATE requests SET operation = 'purge' WHERE object_index BETWEEN 4 AND 5");

    assertThat(text()).containsPattern("1 to 10 MB +3 +15\\.0 MB ");
  }

  @Test
  void damagedSizesDoNoHarm() throws Exception {
    run.sql("UPDATE requests SET content_bytes = 9223372036854775807 WHERE object_index < 2");
    run.sql("UPDATE requests SET content_bytes = -5 WHERE object_index = 7");
    run.sql("UPDATE requests SET content_bytes = NULL WHERE object_index = 8");

    assertThat(text()).containsPattern("below 1 kB +2 +0 B ").contains("1 to 10 EB");
    assertThat(json().at("/2/toBytes").isNull()).isTrue();
  }

  @Test
  void withoutIngestsThereIsNothing() throws Exception {
    run.sql("DELETE FROM requests");

    assertThat(text()).doesNotContain(HEADING);
    assertThat(json()).isEmpty();
  }

  private String text() throws Exception {
    return TextReport.of(run.report(), new TextStyle(120, true, false));
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(JsonReport.of(run.report())).get("contentSizes");
  }
}
