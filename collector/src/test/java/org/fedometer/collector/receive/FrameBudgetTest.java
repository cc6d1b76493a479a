package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FrameBudgetTest {
  private final AtomicBoolean blocked = new AtomicBoolean();
  private final FrameBudget budget = new FrameBudget(1_000, 3, 10, blocked::get);

  @Test
  void framesWaitUntilSpaceIsReleased() {
    TestWaiter first = new TestWaiter();
    TestWaiter second = new TestWaiter();
    FrameBudget.Reservation one = budget.reserve(first, 600, 10);
    FrameBudget.Reservation two = budget.reserve(second, 600, 10);

    assertThat(one.isGranted()).isTrue();
    assertThat(two.isGranted()).isFalse();
    one.release();

    assertThat(two.isGranted()).isTrue();
    assertThat(second.granted).isEqualTo(1);
    assertThat(first.granted).as("never had to wait").isZero();
  }

  @Test
  void aSmallFrameDoesNotOvertakeALargeOneThatWaits() {
    FrameBudget.Reservation first = budget.reserve(new TestWaiter(), 600, 10);
    FrameBudget.Reservation large = budget.reserve(new TestWaiter(), 900, 10);
    FrameBudget.Reservation small = budget.reserve(new TestWaiter(), 100, 10);
    assertThat(small.isGranted()).isFalse();

    first.release();

    assertThat(large.isGranted()).isTrue();
    assertThat(small.isGranted()).isTrue();
  }

  @Test
  void waitingFramesUseSpaceButNeverBlockTheFirst() {
    FrameBudget.Reservation first = budget.reserve(new TestWaiter(), 1_000, 10);
    FrameBudget.Reservation[] waiting = new FrameBudget.Reservation[20];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = budget.reserve(new TestWaiter(), 200, 150);
    }

    first.release();

    for (int i = 0; i < waiting.length; i++) {
      assertThat(waiting[i].isGranted()).isTrue();
      if (i < 10) {
        assertThat(waiting[i + 1].isGranted()).as("one at a time").isFalse();
      }
      waiting[i].release();
    }
    FrameBudget.Reservation all = budget.reserve(new TestWaiter(), 1_000, 10);
    assertThat(all.isGranted()).as("all has been given back").isTrue();
    assertThat(budget.reserve(new TestWaiter(), 1, 1).isGranted()).isFalse();
  }

  @Test
  void grantsAFrameLargerThanTheBudgetAlone() {
    assertThat(budget.reserve(new TestWaiter(), 5_000, 10).isGranted()).isTrue();
    assertThat(budget.reserve(new TestWaiter(), 10, 10).isGranted()).isFalse();
  }

  @Test
  void grantsNothingWhileBlocked() {
    blocked.set(true);
    TestWaiter guest = new TestWaiter();
    FrameBudget.Reservation place = budget.reserve(guest, 10, 4);
    budget.grantWaiting();
    assertThat(place.isGranted()).isFalse();

    blocked.set(false);
    budget.grantWaiting();

    assertThat(place.isGranted()).isTrue();
    assertThat(guest.granted).isEqualTo(1);
  }

  @Test
  void evictsAStalledFrameOnlyWhenOthersWait() {
    TestWaiter stalled = new TestWaiter();
    budget.reserve(stalled, 800, 10);
    tick(9);
    assertThat(stalled.evicted).isZero();

    FrameBudget.Reservation other = budget.reserve(new TestWaiter(), 800, 10);
    budget.tick();

    assertThat(stalled.evicted).isEqualTo(1);
    assertThat(other.isGranted()).isTrue();
  }

  @Test
  void evictsAFrameThatExceedsMaxTicks() {
    TestWaiter slow = new TestWaiter();
    FrameBudget.Reservation place = budget.reserve(slow, 800, 10);
    FrameBudget.Reservation other = budget.reserve(new TestWaiter(), 800, 10);
    for (int i = 0; i < 5; i++) {
      tick(2);
      place.progressed();
    }
    assertThat(slow.evicted).isZero();

    budget.tick();

    assertThat(slow.evicted).isEqualTo(1);
    assertThat(other.isGranted()).isTrue();
  }

  @Test
  void doesNotGrantReleasedReservations() {
    FrameBudget.Reservation first = budget.reserve(new TestWaiter(), 800, 10);
    TestWaiter released = new TestWaiter();
    budget.reserve(released, 800, 10).release();
    first.release();
    assertThat(released.granted).isZero();
    assertThat(budget.reserve(new TestWaiter(), 1_000, 10).isGranted()).isTrue();
  }

  @Test
  void limitsArePositive() {
    assertThatThrownBy(() -> new FrameBudget(0, 1, 1, blocked::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 bytes");
  }

  private void tick(int times) {
    for (int i = 0; i < times; i++) {
      budget.tick();
    }
  }

  private static final class TestWaiter implements FrameBudget.Waiter {
    private int granted;
    private int evicted;

    @Override
    public void granted() {
      granted++;
    }

    @Override
    public void evicted() {
      evicted++;
    }
  }
}
