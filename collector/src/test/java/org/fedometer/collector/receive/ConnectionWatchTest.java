package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionWatchTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  @Test
  void isNeededUntilTheFirstSourceHasComeAndGone() {
    ConnectionWatch watch = new ConnectionWatch(LONG, 0);
    assertThat(watch.endIfIdle()).isFalse();
    watch.opened();
    watch.sourceArrived(UUID.randomUUID());
    assertThat(watch.endIfIdle()).isFalse();
    watch.closed(false);
    assertThat(watch.endIfIdle()).isTrue();
  }

  @Test
  void waitsForTheSourceBehindEachProbe() {
    ConnectionWatch watch = new ConnectionWatch(LONG, 0);
    watch.probed();
    watch.probed();
    watch.sourceArrived(UUID.randomUUID());
    assertThat(watch.endIfIdle()).isFalse();
    watch.sourceArrived(UUID.randomUUID());
    assertThat(watch.endIfIdle()).isTrue();
  }

  @Test
  void aSourceThatComesBackIsNotTheOneBehindAProbe() {
    ConnectionWatch watch = new ConnectionWatch(LONG, 0);
    UUID source = UUID.randomUUID();
    watch.sourceArrived(source);
    watch.probed();
    watch.sourceArrived(source);
    assertThat(watch.endIfIdle()).isFalse();
  }

  @Test
  void aCollectorThatNeverEndsForWantOfSourcesRemembersNoMoreAndMoreOfThem() {
    ConnectionWatch watch = new ConnectionWatch(0, 0);
    for (int i = 0; i < 20_000; i++) {
      watch.probed();
      watch.probed();
      watch.sourceArrived(new UUID(1, i));
    }
    assertThat(watch.remembered()).isLessThan(10_010);
  }

  @Test
  void whoComesAfterTheDecisionToEndIsTooLate() {
    ConnectionWatch watch = new ConnectionWatch(0, 0);
    assertThat(watch.sourceArrived(UUID.randomUUID())).isTrue();
    assertThat(watch.probed()).isTrue();

    assertThat(watch.endIfIdle()).isTrue();

    assertThat(watch.sourceArrived(UUID.randomUUID())).isFalse();
    assertThat(watch.probed()).isFalse();
  }

  @Test
  void aReaderKeepsTheCollectorNoLongerThanItIsConnected() {
    ConnectionWatch watch = new ConnectionWatch(0, Long.MAX_VALUE / 2);
    watch.sourceArrived(UUID.randomUUID());
    watch.opened();
    assertThat(watch.readerArrived()).isTrue();
    assertThat(watch.endIfIdle()).isFalse();

    watch.closed(true);

    assertThat(watch.endIfIdle()).isTrue();
    assertThat(watch.readerArrived()).as("too late").isFalse();
  }
}
