package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.fedometer.store.rollup.Rollup;
import org.junit.jupiter.api.Test;

class InfluxPointTest {
  private static final String URL = "http://127.0.0.1:8086";

  /** As in a run folder with foreign content. */
  @Test
  void aHistogramThatIsNoneCostsThePercentilesAndNothingElse() {
    byte[] huge = new byte[64];
    ByteBuffer.wrap(huge).putInt(0x1c849314).putInt(Integer.MAX_VALUE);
    for (byte[] histogram : new byte[][] {null, {}, {1, 2, 3}, huge}) {
      InfluxPoint point = Points.ofStage("run", new Rollup(0, "s", 2, 0, 6, 6, 2, 4, histogram));

      assertThat(point.fields())
          .containsEntry("count", 2L)
          .containsEntry("max_nanos", 4L)
          .doesNotContainKeys("p50_nanos", "p95_nanos", "p99_nanos");
    }
  }

  /** InfluxDB rejects a whole batch for one value that is not finite. */
  @Test
  void whatNeverHappenedHasNoMean() {
    for (long count : new long[] {0, -1}) {
      for (long sumNanos : new long[] {0, 6}) {
        Rollup rollup = new Rollup(0, "s", count, 0, sumNanos, 6, 2, 4, null);

        assertThat(Points.ofStage("run", rollup).fields())
            .containsEntry("count", count)
            .containsEntry("sum_duration_nanos", sumNanos)
            .doesNotContainKey("mean_nanos");
      }
    }
  }

  /** A run's folder may come from elsewhere, and its dimensions are names of tags. */
  @Test
  void aTagsNameIsOneLineLikeItsValue() {
    InfluxPoint point =
        InfluxPoint.of("fedometer_runs", 5).tag("choice_two\nlines\\", "a\nb\\").field("n", 1);
    InfluxTarget.Database database = new InfluxTarget.Database("any", "", "", "");
    InfluxTarget.Bucket bucket = new InfluxTarget.Bucket("any", "any", "");
    for (InfluxTarget.Destination place : new InfluxTarget.Destination[] {database, bucket}) {
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(URL, place))) {
        assertThat(writer.lineOf(point))
            .isEqualTo("fedometer_runs,choice_two\u240alines\uff3c=a\u240ab\uff3c n=1i 5");
      }
    }
  }
}
