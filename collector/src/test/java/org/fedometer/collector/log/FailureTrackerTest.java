package org.fedometer.collector.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailureTrackerTest {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final FailureTracker failures = new FailureTracker();

  @Test
  void pausesAfterEachFailure() {
    assertThat(failures.failedWithin(PAUSE, at(0))).isFalse();

    failures.recordFailure("disk full", at(100));

    assertThat(failures.failedWithin(PAUSE, at(104))).isTrue();
    assertThat(failures.failedWithin(PAUSE, at(105))).isFalse();

    failures.recordFailure("disk full", at(105));

    assertThat(failures.failedWithin(PAUSE, at(109))).isTrue();
  }

  @Test
  void successClearsPauseAndReason() {
    failures.recordFailure("disk full", at(100));

    assertThat(failures.recordSuccess()).isTrue();

    assertThat(failures.failedWithin(PAUSE, at(101))).isFalse();
    assertThat(failures.reason()).isEmpty();
    assertThat(failures.recordSuccess()).as("there is none any more").isFalse();
  }

  @Test
  void logsAPersistentFailureLessAndLessOften() {
    int logged = 0;
    for (int second = 0; second < 24 * 3600; second++) {
      logged += failures.recordFailure("disk full", at(second)) ? 1 : 0;
    }

    // After 1, 2, 4, 8, 16, 32 minutes, and from then on each hour.
    assertThat(logged).isEqualTo(29);
    assertThat(failures.failureCount()).isEqualTo(24 * 3600);
  }

  /** Readings of nanoTime may be of any sign. */
  private static long at(long seconds) {
    return Long.MAX_VALUE + Duration.ofSeconds(seconds).toNanos();
  }
}
