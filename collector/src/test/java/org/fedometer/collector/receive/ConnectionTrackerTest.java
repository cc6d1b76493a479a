package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionTrackerTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  @Test
  void isNeededUntilTheFirstSourceHasComeAndGone() {
    ConnectionTracker tracker = new ConnectionTracker(LONG, 0);
    assertThat(tracker.endIfIdle()).isFalse();
    tracker.opened();
    tracker.sourceArrived(UUID.randomUUID());
    assertThat(tracker.endIfIdle()).isFalse();
    tracker.closed(false);
    assertThat(tracker.endIfIdle()).isTrue();
  }

  @Test
  void waitsForTheSourceBehindEachProbe() {
    ConnectionTracker tracker = new ConnectionTracker(LONG, 0);
    tracker.probed();
    tracker.probed();
    tracker.sourceArrived(UUID.randomUUID());
    assertThat(tracker.endIfIdle()).isFalse();
    tracker.sourceArrived(UUID.randomUUID());
    assertThat(tracker.endIfIdle()).isTrue();
  }

  @Test
  void aSourceThatComesBackIsNotTheOneBehindAProbe() {
    ConnectionTracker tracker = new ConnectionTracker(LONG, 0);
    UUID source = UUID.randomUUID();
    tracker.sourceArrived(source);
    tracker.probed();
    tracker.sourceArrived(source);
    assertThat(tracker.endIfIdle()).isFalse();
  }

  @Test
  void aCollectorThatNeverEndsForWantOfSourcesRemembersNoMoreAndMoreOfThem() {
    ConnectionTracker tracker = new ConnectionTracker(0, 0);
    for (int i = 0; i < 20_000; i++) {
      tracker.probed();
      tracker.probed();
      tracker.sourceArrived(new UUID(1, i));
    }
    assertThat(tracker.knownCount()).isLessThan(10_010);
  }

  @Test
  void rejectsConnectionsAfterTheDecisionToEnd() {
    ConnectionTracker tracker = new ConnectionTracker(0, 0);
    assertThat(tracker.sourceArrived(UUID.randomUUID())).isTrue();
    assertThat(tracker.probed()).isTrue();

    assertThat(tracker.endIfIdle()).isTrue();

    assertThat(tracker.sourceArrived(UUID.randomUUID())).isFalse();
    assertThat(tracker.probed()).isFalse();
  }

  @Test
  void aReaderKeepsTheCollectorNoLongerThanItIsConnected() {
    ConnectionTracker tracker = new ConnectionTracker(0, Long.MAX_VALUE / 2);
    tracker.sourceArrived(UUID.randomUUID());
    tracker.opened();
    assertThat(tracker.readerArrived()).isTrue();
    assertThat(tracker.endIfIdle()).isFalse();

    tracker.closed(true);

    assertThat(tracker.endIfIdle()).isTrue();
    assertThat(tracker.readerArrived()).as("too late").isFalse();
  }
}
