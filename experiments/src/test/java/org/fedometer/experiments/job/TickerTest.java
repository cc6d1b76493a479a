package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TickerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Test
  void aCallThatFailsIsNotedOnceAndNotTheLast() {
    AtomicInteger calls = new AtomicInteger();
    RecordingListener listener = new RecordingListener();
    Runnable failing =
        () -> {
          calls.incrementAndGet();
          throw new IllegalStateException("no space to draw");
        };

    try (Ticker ignored = Ticker.start(failing, listener)) {
      await().atMost(TIMEOUT).until(() -> calls.get() >= 3);
    }

    assertThat(listener.notes()).singleElement().asString().contains("no space to draw");
  }
}
