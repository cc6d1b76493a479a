package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class JobClockTest {
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long SLOWNESS_MILLIS = 60_000;

  /** Returns a job's clock on a host whose wall clock was set back, or forward, since it began. */
  private static JobClock afterALeapOf(long millis) {
    return new JobClock(
        HostEnvironment.bootId(), System.nanoTime(), System.currentTimeMillis() - millis);
  }

  @Test
  void itGoesOnAsIfTheTimeOfDayHadNotBeenSet() {
    JobClock clock = afterALeapOf(-HOUR_MILLIS);

    assertThat(clock.countsHere()).isTrue();
    assertThat(clock.now().epochMillis() - System.currentTimeMillis())
        .isCloseTo(HOUR_MILLIS, within(SLOWNESS_MILLIS));
    assertThat(clock.leap().millis()).isCloseTo(-HOUR_MILLIS, within(SLOWNESS_MILLIS));
  }

  @Test
  void aFileOfBeforeALeapAndOneOfAfterItWereWrittenWhenTheyWere() {
    for (long leap : new long[] {-HOUR_MILLIS, 0, HOUR_MILLIS}) {
      JobClock clock = afterALeapOf(leap);
      long now = clock.now().epochMillis();
      long tenMinutesAgo = now - 600_000;
      long byNewTime = tenMinutesAgo + leap;

      assertThat(clock.whenWritten(byNewTime))
          .as("after a leap of %s ms", leap)
          .isCloseTo(tenMinutesAgo, within(SLOWNESS_MILLIS));
      assertThat(clock.whenWritten(tenMinutesAgo))
          .as("before a leap of %s ms", leap)
          .isCloseTo(tenMinutesAgo, within(SLOWNESS_MILLIS));
    }
  }

  @Test
  void nothingWasWrittenLaterThanNow() {
    JobClock clock = afterALeapOf(0);

    assertThat(clock.whenWritten(System.currentTimeMillis() + 2 * HOUR_MILLIS))
        .isLessThanOrEqualTo(clock.now().epochMillis());
  }

  @Test
  void warnsOfMisplacedLogsOnlyAfterAClockStep() {
    assertThat(afterALeapOf(0).noteOnLogs()).isEmpty();
    assertThat(afterALeapOf(HOUR_MILLIS).noteOnLogs())
        .hasValueSatisfying(note -> assertThat(note).contains("set forward by 3", "too early"));
    assertThat(afterALeapOf(-HOUR_MILLIS).noteOnLogs())
        .hasValueSatisfying(note -> assertThat(note).contains("set back by 3", "too late"));
  }

  @Test
  void ofAnotherBootItIsOfNoUseAndTheNextOneIsNotBehindWhatIsOnRecord() {
    assertThat(new JobClock("another", 0, 0).countsHere()).isFalse();
    assertThat(new JobClock("", 0, 0).countsHere()).isFalse();
    long onRecord = System.currentTimeMillis() + HOUR_MILLIS;

    assertThat(JobClock.notBefore(onRecord).now().epochMillis()).isGreaterThanOrEqualTo(onRecord);
  }
}
