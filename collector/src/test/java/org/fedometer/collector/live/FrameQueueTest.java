package org.fedometer.collector.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  private final FrameQueue queue = new FrameQueue(2L * SAMPLES.sizeBytes());

  @Test
  void limitsFramesBySizeAndNamesByTwice() throws Exception {
    queue.put(new Named("a"), SAMPLES);
    assertThat(queue.hasCapacity(SAMPLES)).isTrue();
    queue.put(new Named("b"), SAMPLES);
    assertThat(queue.hasCapacity(SAMPLES)).isFalse();
    assertThat(queue.hasCapacity(NAMES)).isTrue();
    queue.put(new Named("c"), NAMES);
    queue.put(new Named("d"), NAMES);
    assertThat(queue.hasCapacity(NAMES)).isFalse();
    queue.put(new Named("of no size"));
    assertThat(queue.newestOrNull()).isEqualTo(new Named("of no size"));

    for (String each : new String[] {"a", "b", "c"}) {
      assertThat(queue.take(System.nanoTime())).isEqualTo(new Named(each));
    }
    assertThat(queue.hasCapacity(SAMPLES)).isTrue();
  }

  @Test
  void awaitsCapacity() throws Exception {
    queue.put(new Named("a"), SAMPLES);
    queue.put(new Named("b"), SAMPLES);
    FutureTask<Boolean> waiting = new FutureTask<>(() -> queue.awaitCapacity(SAMPLES, () -> true));
    Thread waiter = new Thread(waiting, "waiter");
    waiter.start();
    await().until(() -> waiter.getState() == Thread.State.WAITING);

    assertThat(queue.take(System.nanoTime())).isEqualTo(new Named("a"));

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void workThatThrowsIsNotTheLast() throws Exception {
    List<String> done = new ArrayList<>();
    queue.put(
        () -> {
          throw new IllegalStateException("of this test");
        });
    queue.put(() -> done.add("next"));
    queue.end();

    queue.work(() -> !queue.isDrained(), Duration.ofHours(1), () -> {});

    assertThat(done).containsExactly("next");
  }

  @Test
  void drainsAfterTheEndWithoutWaiting() throws Exception {
    long never = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    queue.put(new Named("last"));
    queue.end();

    assertThat(queue.isEnding()).isTrue();
    assertThat(queue.isDrained()).isFalse();
    assertThat(queue.take(never)).isEqualTo(new Named("last"));
    assertThat(queue.take(never)).isNull();
    assertThat(queue.isDrained()).isTrue();
    assertThat(queue.newestOrNull()).isNull();
  }

  @Test
  void whatIsPutInIsDoneInItsOrderWithALookNowAndThen() throws Exception {
    List<String> done = new ArrayList<>();
    queue.put(() -> done.add("a"), SAMPLES);
    queue.put(() -> done.add("b"));

    queue.work(() -> done.size() < 5, Duration.ofMillis(1), () -> done.add("look"));

    assertThat(done).containsSubsequence("a", "b").containsSubsequence("look", "look", "look");
    assertThat(queue.hasCapacity(SAMPLES)).isTrue();
  }

  private record Named(String name) implements Runnable {
    @Override
    public void run() {
      // Only removed.
    }
  }

  private static Frame frame(FrameType type) {
    return new Frame(type.code(), 1, new byte[100]);
  }
}
