package org.fedometer.collector.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrameQueueTest {
  private static final Frame SAMPLES = frame(FrameType.SAMPLES);
  private static final Frame NAMES = frame(FrameType.STAGES);

  private final FrameQueue<String> queue = new FrameQueue<>(2L * SAMPLES.sizeBytes());

  @Test
  void framesHaveRoomForTheirSizeAndNamesForTwiceAsMuch() throws Exception {
    queue.put("a", SAMPLES);
    assertThat(queue.hasRoom(SAMPLES)).isTrue();
    queue.put("b", SAMPLES);
    assertThat(queue.hasRoom(SAMPLES)).isFalse();
    assertThat(queue.hasRoom(NAMES)).isTrue();
    queue.put("c", NAMES);
    queue.put("d", NAMES);
    assertThat(queue.hasRoom(NAMES)).isFalse();
    queue.put("of no size");
    assertThat(queue.newestOrNull()).isEqualTo("of no size");

    for (String each : new String[] {"a", "b", "c"}) {
      assertThat(queue.take(System.nanoTime())).isEqualTo(each);
    }
    assertThat(queue.hasRoom(SAMPLES)).isTrue();
  }

  @Test
  void whoMayWaitGetsRoomWhenSomethingIsTaken() throws Exception {
    queue.put("a", SAMPLES);
    queue.put("b", SAMPLES);
    FutureTask<Boolean> waiting = new FutureTask<>(() -> queue.awaitRoom(SAMPLES, () -> true));
    Thread waiter = new Thread(waiting, "waiter");
    waiter.start();
    await().until(() -> waiter.getState() == Thread.State.WAITING);

    assertThat(queue.take(System.nanoTime())).isEqualTo("a");

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatWaitsAtTheEndCanBeTakenAndNobodyWaitsForMore() throws Exception {
    long never = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    queue.put("last");
    queue.end();

    assertThat(queue.isEnding()).isTrue();
    assertThat(queue.isOver()).isFalse();
    assertThat(queue.take(never)).isEqualTo("last");
    assertThat(queue.take(never)).isNull();
    assertThat(queue.isOver()).isTrue();
    assertThat(queue.newestOrNull()).isNull();
  }

  private static Frame frame(FrameType type) {
    return new Frame(type.code(), 1, new byte[100]);
  }
}
