package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TickerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void aCallThatFailsIsNotedOnceAndNotTheLast() {
    AtomicInteger calls = new AtomicInteger();
    HeardNotes heard = new HeardNotes();
    Runnable failing =
        () -> {
          calls.incrementAndGet();
          throw new IllegalStateException("no room to draw");
        };

    try (Ticker ignored = Ticker.start(failing, heard)) {
      await().atMost(PATIENCE).until(() -> calls.get() >= 3);
    }

    assertThat(heard.notes()).singleElement().asString().contains("no room to draw");
  }
}
