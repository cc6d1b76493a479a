package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

class StackSupervisorTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final FakeStack stack = new FakeStack();
  private final RecordingListener listener = new RecordingListener();

  @Test
  void restartsFedoraAndRecordsTheCause() {
    try (StackSupervisor keeper = StackSupervisor.start(stack, 3, listener)) {
      stack.missing = List.of("Fedora");

      await().atMost(TIMEOUT).until(() -> keeper.outages().size() == 1);

      RunDocument.Outage outage = keeper.outages().get(0);
      assertThat(outage.who()).isEqualTo(RunDocument.Outage.FEDORA);
      assertThat(outage.reason()).isEqualTo("Fedora's process has ended and was started again.");
      assertThat(outage.endNanos() - outage.startNanos()).isNotNegative();
      assertThat(keeper.failure()).isEmpty();
      assertThat(stack.ended).hasValue(1);
      assertThat(listener.notes()).anyMatch(note -> note.contains("(1 of 3 times)"));
    }
  }

  @Test
  void whatEndsMoreOftenThanItMayEndsTheRun() {
    try (StackSupervisor keeper = StackSupervisor.start(stack, 1, listener)) {
      stack.missing = List.of("PostgreSQL");
      await().atMost(TIMEOUT).until(() -> keeper.outages().size() == 1);
      stack.missing = List.of("Fedora", "PostgreSQL");

      await().atMost(TIMEOUT).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get())
          .hasMessageContaining("Fedora and PostgreSQL's processes have ended")
          .hasMessageContaining("after 1 restart, the limit of --max-restarts")
          .hasMessageContaining("--max-restarts");
      assertThat(stack.started).hasValue(1);
    }
  }

  @Test
  void reportsHowAProcessWasKilled() {
    stack.kills = "Fedora was killed by the kernel for lack of memory (signal 9)";
    try (StackSupervisor keeper = StackSupervisor.start(stack, 0, listener)) {
      stack.missing = List.of("Fedora");

      await().atMost(TIMEOUT).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get())
          .hasMessage(
              "Fedora's process has ended (Fedora was killed by the kernel for lack of memory"
                  + " (signal 9)) during the ingest.");
    }
  }

  @Test
  void withoutRestartsTheFirstEndIsTheRuns() {
    try (StackSupervisor keeper = StackSupervisor.start(stack, 0, listener)) {
      stack.missing = List.of("Fedora");

      await().atMost(TIMEOUT).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get())
          .hasMessage("Fedora's process has ended during the ingest.");
      assertThat(stack.started).hasValue(0);
    }
  }

  @Test
  void aStackThatDoesNotStartEndsTheRunWithItsMessage() {
    stack.failure = "the disk is full";
    try (StackSupervisor keeper = StackSupervisor.start(stack, 3, listener)) {
      stack.missing = List.of("Fedora");

      await().atMost(TIMEOUT).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get()).hasMessageContaining("the disk is full");
      assertThat(keeper.outages()).hasSize(1);
    }
  }

  @Test
  void anErrorOfTheSupervisorEndsTheRun() {
    stack.error = new OutOfMemoryError("none left");
    try (StackSupervisor keeper = StackSupervisor.start(stack, 3, listener)) {
      await().atMost(TIMEOUT).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get()).hasMessageContaining("none left");
    }
  }

  @Test
  void closingCutsAStartThatIsUnderWayAndIsNoFailure() throws InterruptedException {
    stack.hangs = true;
    StackSupervisor keeper = StackSupervisor.start(stack, 3, listener);
    stack.missing = List.of("Fedora");
    stack.starting.await();

    keeper.close();

    assertThat(keeper.failure()).isEmpty();
    assertThat(keeper.outages()).isEmpty();
  }

  private static final class FakeStack implements StackSupervisor.Supervised {
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    private final CountDownLatch starting = new CountDownLatch(1);
    private volatile List<String> missing = List.of();
    private volatile String kills = "";
    private volatile String failure;
    private volatile Error error;
    private volatile boolean hangs;

    @Override
    public List<String> missing() {
      if (error != null) {
        throw error;
      }
      return missing;
    }

    @Override
    public String kills(List<String> processes) {
      return kills;
    }

    @Override
    public void onEnded() {
      ended.incrementAndGet();
    }

    @Override
    public void bringUp() throws IOException {
      starting.countDown();
      if (hangs) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          throw new IOException("interrupted", e);
        }
      }
      if (failure != null) {
        throw new IOException(failure);
      }
      started.incrementAndGet();
      missing = List.of();
    }
  }
}
