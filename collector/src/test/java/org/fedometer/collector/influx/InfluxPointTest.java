package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InfluxPointTest {
  private static final String URL = "http://127.0.0.1:8086";

  /** A run's folder may come from elsewhere, and its dimensions are names of tags. */
  @Test
  void aTagsNameIsOneLineLikeItsValue() {
    InfluxPoint point =
        InfluxPoint.of("fedometer_runs", 5).tag("choice_two\nlines\\", "a\nb\\").field("n", 1);
    InfluxTarget.Database database = new InfluxTarget.Database("any", "", "", "");
    InfluxTarget.Bucket bucket = new InfluxTarget.Bucket("any", "any", "");
    for (InfluxTarget.Place place : new InfluxTarget.Place[] {database, bucket}) {
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(URL, place))) {
        assertThat(writer.lineOf(point))
            .isEqualTo("fedometer_runs,choice_two\u240alines\uff3c=a\u240ab\uff3c n=1i 5");
      }
    }
  }
}
