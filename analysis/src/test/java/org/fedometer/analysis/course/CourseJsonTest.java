package org.fedometer.analysis.course;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

class CourseJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void hasEveryFieldAndRoundsToFourDigits() throws Exception {
    try (CourseRun run = new CourseRun().onOneHost().lasting(1_234, 0)) {
      run.ingest(0, 0, 123.456789);
      run.ingest(1, 300, 100);

      JsonNode json = MAPPER.readTree(CourseJson.of(run.course()));

      assertThat(json.fieldNames())
          .toIterable()
          .containsExactly(
              "schema",
              "kind",
              "name",
              "state",
              "origin",
              "seconds",
              "time",
              "objects",
              "heat",
              "stages",
              "icicle",
              "gc",
              "telemetry",
              "marks",
              "growth",
              "slowest",
              "errors");
      assertThat(json.path("time").path("max").path(0).asText()).isEqualTo("123.5");
      assertThat(json.path("seconds").asText()).isEqualTo("1.234");
      assertThat(json.path("objects").path("n").path(0).isIntegralNumber()).isTrue();
      assertThat(json.path("time").path("rateLow").isNull()).isTrue();
      assertThat(json.path("telemetry").isNull()).isTrue();
      assertThat(json.path("stages").isNull()).isTrue();
    }
  }

  @Test
  void saysNullOfWhatIsNotKnown() throws Exception {
    try (CourseRun run = new CourseRun()) {
      run.document = RunDocument.builder("failed", "failed");

      JsonNode json = MAPPER.readTree(CourseJson.of(run.course()));

      assertThat(json.path("origin").path("epochMillis").isNull()).isTrue();
      for (String field : List.of("seconds", "time", "heat", "icicle", "gc", "slowest", "errors")) {
        assertThat(json.path(field).isNull()).as(field).isTrue();
      }
    }
  }

  @Test
  void textsFromOutsideCannotEndAScript() throws Exception {
    String hostile = "</script><!-- & ' \u2028";
    try (CourseRun run = new CourseRun().onOneHost().lasting(1_000, 0)) {
      run.request(0, "ingest", 0, 0, 1, 500, hostile);

      String json = CourseJson.of(run.course());

      assertThat(json).doesNotContain("<", ">", "&", "'", "\u2028");
      assertThat(MAPPER.readTree(json).path("errors").path("message").path(0).asText())
          .isEqualTo(hostile);
    }
  }
}
