package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SegmentLogOptionsTest {
  @Test
  void eachCanBeChangedAndTheOthersStay() {
    Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    assertThat(
            SegmentLogOptions.defaults()
                .withToken("secret")
                .withSegmentBytes(1)
                .withSealAge(Duration.ofSeconds(2))
                .withQueueBytes(3)
                .withRunIdle(Duration.ofSeconds(4))
                .withRetryPause(Duration.ofSeconds(5))
                .withHeartbeat(Duration.ofSeconds(6))
                .withClock(clock))
        .isEqualTo(
            new SegmentLogOptions(
                "secret",
                1,
                Duration.ofSeconds(2),
                3,
                Duration.ofSeconds(4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(6),
                SegmentLogOptions.defaults().mergeMemoryBytes(),
                clock));
  }

  @Test
  void theTokenIsInNoLog() {
    assertThat(SegmentLogOptions.defaults().withToken("secret").toString())
        .doesNotContain("secret");
  }
}
