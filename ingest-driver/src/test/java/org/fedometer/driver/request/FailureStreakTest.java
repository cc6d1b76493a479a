package org.fedometer.driver.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.junit.jupiter.api.Test;

class FailureStreakTest {
  private final FailureStreak streak = new FailureStreak("objects");
  private int objects;

  @Test
  void twentyThatFailAlikeFromTheStartAreEnough() {
    for (int i = 1; i < FailureStreak.MAX_INITIAL_FAILURES; i++) {
      assertThat(judge(Outcome.FAILED, "no " + i)).isNull();
    }
    assertThat(judge(Outcome.FAILED, "no 20")).contains("first 20 objects", "no 20");
  }

  @Test
  void failuresOfManyKindsFromTheStartNeedAHundred() {
    for (int i = 1; i < FailureStreak.MAX_CONSECUTIVE_FAILURES; i++) {
      assertThat(judge(Outcome.FAILED, "x".repeat(i))).isNull();
    }
    assertThat(judge(Outcome.FAILED, "the disk is full")).contains("last 100", "disk is full");
  }

  @Test
  void aFullDiskInTheMidstOfARunIsNoticed() {
    judge(Outcome.INGESTED, "");
    for (int i = 1; i < FailureStreak.MAX_CONSECUTIVE_FAILURES; i++) {
      assertThat(judge(Outcome.FAILED, "500")).isNull();
    }
    assertThat(judge(Outcome.FAILED, "500")).contains("last 100 objects all failed");
  }

  @Test
  void anIngestedObjectBetweenThemBreaksTheStreak() {
    for (int i = 0; i < 10 * FailureStreak.MAX_CONSECUTIVE_FAILURES; i++) {
      Outcome outcome = i % 15 == 14 ? Outcome.FOUND_COMPLETE : Outcome.FAILED;
      assertThat(judge(outcome, "500")).isNull();
    }
  }

  private String judge(Outcome outcome, String message) {
    long index = objects++;
    return streak.judge(
        new RequestEvent(
            Operation.INGEST,
            index,
            "test:" + index,
            "",
            0,
            1,
            0,
            0,
            1,
            outcome == Outcome.FAILED ? 500 : 201,
            0,
            message,
            outcome));
  }
}
