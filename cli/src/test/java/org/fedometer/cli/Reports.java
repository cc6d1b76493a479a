package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** What is asked of reports by more than one test. */
final class Reports {
  private Reports() {}

  /** Every object is there, once and with all of its triples, and a hundred were read back. */
  static void assertWhole(JsonNode report, long objects) {
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(objects);
    assertThat(report.at("/objects/failed").asLong()).isZero();
    assertThat(report.at("/objects/counted").asLong()).as("none twice").isEqualTo(objects);
    assertThat(report.at("/objects/verified").asLong()).isEqualTo(100);
    assertThat(report.at("/triples/counted").asLong())
        .isPositive()
        .isEqualTo(report.at("/triples/expected").asLong());
    assertThat(report.at("/verification/ok").asBoolean()).isTrue();
  }
}
