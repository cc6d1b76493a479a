package org.fedometer.collector.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TroubleTest {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Trouble trouble = new Trouble();

  @Test
  void whatHasFailedIsLeftAloneForThePauseAfterEachFailure() {
    assertThat(trouble.failedWithin(PAUSE, at(0))).isFalse();

    trouble.failed("disk full", at(100));

    assertThat(trouble.failedWithin(PAUSE, at(104))).isTrue();
    assertThat(trouble.failedWithin(PAUSE, at(105))).isFalse();

    trouble.failed("disk full", at(105));

    assertThat(trouble.failedWithin(PAUSE, at(109))).isTrue();
  }

  @Test
  void whatWorksAgainIsNotLeftAloneAndHasNoReason() {
    trouble.failed("disk full", at(100));

    assertThat(trouble.over()).isTrue();

    assertThat(trouble.failedWithin(PAUSE, at(101))).isFalse();
    assertThat(trouble.reason()).isEmpty();
    assertThat(trouble.over()).as("there is none any more").isFalse();
  }

  @Test
  void aTroubleThatGoesOnIsLoggedMoreAndMoreRarely() {
    int logged = 0;
    for (int second = 0; second < 24 * 3600; second++) {
      logged += trouble.failed("disk full", at(second)) ? 1 : 0;
    }

    // After 1, 2, 4, 8, 16, 32 minutes, and from then on each hour.
    assertThat(logged).isEqualTo(29);
    assertThat(trouble.failures()).isEqualTo(24 * 3600);
  }

  /** Readings of nanoTime may be of any sign. */
  private static long at(long seconds) {
    return Long.MAX_VALUE + Duration.ofSeconds(seconds).toNanos();
  }
}
