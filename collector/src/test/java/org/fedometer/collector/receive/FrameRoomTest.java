package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FrameRoomTest {
  private final AtomicBoolean shut = new AtomicBoolean();
  private final FrameRoom room = new FrameRoom(1_000, 3, 10, shut::get);

  @Test
  void whatDoesNotFitWaitsUntilOthersHaveLeft() {
    Guest first = new Guest();
    Guest second = new Guest();
    FrameRoom.Place one = room.enter(first, 600, 10);
    FrameRoom.Place two = room.enter(second, 600, 10);

    assertThat(one.isInside()).isTrue();
    assertThat(two.isInside()).isFalse();
    one.leave();

    assertThat(two.isInside()).isTrue();
    assertThat(second.letIn).isEqualTo(1);
    assertThat(first.letIn).as("never had to wait").isZero();
  }

  @Test
  void aSmallFrameDoesNotOvertakeALargeOneThatWaits() {
    FrameRoom.Place first = room.enter(new Guest(), 600, 10);
    FrameRoom.Place large = room.enter(new Guest(), 900, 10);
    FrameRoom.Place small = room.enter(new Guest(), 100, 10);
    assertThat(small.isInside()).isFalse();

    first.leave();

    assertThat(large.isInside()).isTrue();
    assertThat(small.isInside()).isTrue();
  }

  @Test
  void whatWaitsTakesRoomTooButNeverKeepsTheLastOneOut() {
    FrameRoom.Place first = room.enter(new Guest(), 1_000, 10);
    FrameRoom.Place[] waiting = new FrameRoom.Place[20];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = room.enter(new Guest(), 200, 150);
    }

    first.leave();

    for (int i = 0; i < waiting.length; i++) {
      assertThat(waiting[i].isInside()).isTrue();
      if (i < 10) {
        assertThat(waiting[i + 1].isInside()).as("one at a time").isFalse();
      }
      waiting[i].leave();
    }
    FrameRoom.Place all = room.enter(new Guest(), 1_000, 10);
    assertThat(all.isInside()).as("all has been given back").isTrue();
    assertThat(room.enter(new Guest(), 1, 1).isInside()).isFalse();
  }

  @Test
  void aFrameLargerThanAllRoomGetsInAlone() {
    assertThat(room.enter(new Guest(), 5_000, 10).isInside()).isTrue();
    assertThat(room.enter(new Guest(), 10, 10).isInside()).isFalse();
  }

  @Test
  void nobodyGetsInWhileWhatCameBeforeIsNotStored() {
    shut.set(true);
    Guest guest = new Guest();
    FrameRoom.Place place = room.enter(guest, 10, 4);
    room.letIn();
    assertThat(place.isInside()).isFalse();

    shut.set(false);
    room.letIn();

    assertThat(place.isInside()).isTrue();
    assertThat(guest.letIn).isEqualTo(1);
  }

  @Test
  void aFrameAtAStandstillIsGivenUpOnlyWhenOthersWait() {
    Guest still = new Guest();
    room.enter(still, 800, 10);
    tick(9);
    assertThat(still.turnedOut).isZero();

    FrameRoom.Place other = room.enter(new Guest(), 800, 10);
    room.tick();

    assertThat(still.turnedOut).isEqualTo(1);
    assertThat(other.isInside()).isTrue();
  }

  @Test
  void aFrameThatGoesOnMayTakeItsTimeButNotForEver() {
    Guest slow = new Guest();
    FrameRoom.Place place = room.enter(slow, 800, 10);
    FrameRoom.Place other = room.enter(new Guest(), 800, 10);
    for (int i = 0; i < 5; i++) {
      tick(2);
      place.heard();
    }
    assertThat(slow.turnedOut).isZero();

    room.tick();

    assertThat(slow.turnedOut).isEqualTo(1);
    assertThat(other.isInside()).isTrue();
  }

  @Test
  void whoLeavesTheQueueIsNotLetIn() {
    FrameRoom.Place first = room.enter(new Guest(), 800, 10);
    Guest gone = new Guest();
    room.enter(gone, 800, 10).leave();
    first.leave();
    assertThat(gone.letIn).isZero();
    assertThat(room.enter(new Guest(), 1_000, 10).isInside()).isTrue();
  }

  @Test
  void limitsArePositive() {
    assertThatThrownBy(() -> new FrameRoom(0, 1, 1, shut::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 bytes");
  }

  private void tick(int times) {
    for (int i = 0; i < times; i++) {
      room.tick();
    }
  }

  private static final class Guest implements FrameRoom.Guest {
    private int letIn;
    private int turnedOut;

    @Override
    public void letIn() {
      letIn++;
    }

    @Override
    public void turnOut() {
      turnedOut++;
    }
  }
}
