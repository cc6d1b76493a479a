package org.fedometer.driver.fedora;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void oneAnswerLeavesTwoSecondsAndTheWayOpen() {
    ClockOffset one = ClockOffset.of(new ClockReading(10_300, 10_000, 10_350));

    assertThat(one).isEqualTo(new ClockOffset(-350, 1_700));
    assertThat(one.exceeds(SECOND)).isFalse();
  }

  @Test
  void moreAnswersLeaveLess() {
    ClockOffset early = ClockOffset.of(new ClockReading(10_010, 10_000, 10_020));
    ClockOffset late = ClockOffset.of(new ClockReading(11_900, 10_000, 11_910));

    assertThat(early.narrowedBy(late)).isEqualTo(new ClockOffset(-20, 100));
  }

  @Test
  void aClockThatIsAheadOrBehindByMoreThanTheLimitIsSeen() {
    assertThat(ClockOffset.of(new ClockReading(10_000, 13_000, 10_010)).exceeds(SECOND)).isTrue();
    assertThat(ClockOffset.of(new ClockReading(10_000, 5_000, 10_010)).exceeds(SECOND)).isTrue();
  }

  /** Tomcat makes a date of whole seconds, and keeps it for up to one more. */
  @Test
  void theBoundsHoldWhateverTheDifferenceAndTheWay() {
    Random random = new Random(7);
    for (int run = 0; run < 1_000; run++) {
      long aheadMillis = random.nextInt(20_000) - 10_000;
      long nowMillis = 1_000_000 + random.nextInt(5_000);
      long keptSinceMillis = Long.MIN_VALUE;
      long saidMillis = 0;
      ClockOffset known = null;
      for (int question = 0; question < 8; question++) {
        long asked = nowMillis;
        nowMillis += random.nextInt(40);
        long fedoraMillis = nowMillis + aheadMillis;
        if (keptSinceMillis == Long.MIN_VALUE || fedoraMillis - keptSinceMillis > 1_000) {
          keptSinceMillis = fedoraMillis;
          saidMillis = Math.floorDiv(fedoraMillis, 1_000L) * 1_000;
        }
        nowMillis += random.nextInt(40);
        ClockOffset one = ClockOffset.of(new ClockReading(asked, saidMillis, nowMillis));
        known = known == null ? one : known.narrowedBy(one);
        nowMillis += 170;
      }
      assertThat(aheadMillis).isBetween(known.minAheadMillis(), known.maxAheadMillis());
    }
  }

  @Test
  void usesTheLatestReadingOfAChangedClock() {
    ClockOffset before = new ClockOffset(-100, 100);
    ClockOffset after = new ClockOffset(5_000, 5_200);

    assertThat(before.narrowedBy(after)).isEqualTo(after);
  }
}
