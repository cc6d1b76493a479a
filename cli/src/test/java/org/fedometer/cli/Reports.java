package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.stream.StreamSupport;

/** Checks of reports shared by several tests. */
final class Reports {
  private Reports() {}

  /**
   * Every object is there, once and with all of its triples, and a hundred were read back.
   *
   * @param objects 100 or more
   */
  static void assertComplete(JsonNode report, long objects) {
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(objects);
    assertThat(report.at("/objects/failed").asLong()).isZero();
    assertThat(report.at("/objects/counted").asLong()).as("none twice").isEqualTo(objects);
    assertThat(report.at("/objects/verified").asLong()).isEqualTo(100);
    assertThat(report.at("/triples/counted").asLong())
        .isPositive()
        .isEqualTo(report.at("/triples/expected").asLong());
    assertThat(report.at("/verification/ok").asBoolean()).isTrue();
  }

  /**
   * Checks that each object's request is recorded, no request or sample twice, and no sent frame is
   * missing. The report must state missing requests.
   *
   * @param storeOwner with the run's store
   * @param maxRequestsMissing 0, or more if the driver was killed before it had sent them
   * @return number of objects without a recorded request
   */
  static long assertRecordedOnce(
      Fedometer storeOwner, JsonNode report, long objects, long maxRequestsMissing)
      throws Exception {
    JsonNode found =
        storeOwner.queryNumbers(
            report.at("/run").asText(),
            "samplesTwice",
            ObservedIngest.SAMPLES_TWICE,
            "requestsTwice",
            ObservedIngest.REQUESTS_TWICE,
            "objects",
            ObservedIngest.OBJECTS_REQUESTED,
            "framesMissing",
            "sum(frames_missing + frames_unreadable + frames_dropped) FROM sources");
    assertThat(found.get("samplesTwice").asLong()).as("samples that are there twice").isZero();
    assertThat(found.get("requestsTwice").asLong()).as("requests that are there twice").isZero();
    assertThat(found.get("framesMissing").asLong()).as("frames").isZero();
    long missing = objects - found.get("objects").asLong();
    assertThat(missing)
        .as("objects that were asked for and are not on record: %s", found)
        .isBetween(0L, maxRequestsMissing);
    if (missing > 0) {
      assertThat(report.at("/problems").toString()).contains("The run folder lacks requests");
    }
    return missing;
  }

  /**
   * Nothing is wrong with the run but what is named.
   *
   * @param allowed each a part of such a problem's sentence
   */
  static void assertNoProblemsExcept(JsonNode report, String... allowed) {
    assertThat(
            StreamSupport.stream(report.at("/problems").spliterator(), false)
                .filter(problem -> problem.get("severity").asText().equals("wrong"))
                .map(problem -> problem.get("message").asText())
                .filter(message -> Arrays.stream(allowed).noneMatch(message::contains)))
        .isEmpty();
  }
}
