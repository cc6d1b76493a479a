package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.experiments.job.HeardNotes;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

class StackKeeperTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final FakeStack stack = new FakeStack();
  private final HeardNotes heard = new HeardNotes();

  @Test
  void aFedoraThatEndsIsStartedAgainAndTheOutageSaysWhy() {
    try (StackKeeper keeper = StackKeeper.start(stack, 3, heard)) {
      stack.missing = List.of("Fedora");

      await().atMost(PATIENCE).until(() -> keeper.outages().size() == 1);

      RunDocument.Outage outage = keeper.outages().get(0);
      assertThat(outage.who()).isEqualTo(RunDocument.Outage.FEDORA);
      assertThat(outage.reason()).isEqualTo("Fedora's process has ended and was started again.");
      assertThat(outage.endNanos() - outage.startNanos()).isNotNegative();
      assertThat(keeper.failure()).isEmpty();
      assertThat(stack.ended).hasValue(1);
      assertThat(heard.notes()).anyMatch(note -> note.contains("(1 of 3 times)"));
    }
  }

  @Test
  void whatEndsMoreOftenThanItMayEndsTheRun() {
    try (StackKeeper keeper = StackKeeper.start(stack, 1, heard)) {
      stack.missing = List.of("PostgreSQL");
      await().atMost(PATIENCE).until(() -> keeper.outages().size() == 1);
      stack.missing = List.of("Fedora", "PostgreSQL");

      await().atMost(PATIENCE).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get())
          .hasMessageContaining("Fedora and PostgreSQL's processes have ended")
          .hasMessageContaining("1 time already")
          .hasMessageContaining("--most-restarts");
      assertThat(stack.started).hasValue(1);
    }
  }

  @Test
  void howItWasKilledIsToldWhereThatIsKnown() {
    stack.kills = "Fedora was killed by the kernel for lack of memory (signal 9)";
    try (StackKeeper keeper = StackKeeper.start(stack, 0, heard)) {
      stack.missing = List.of("Fedora");

      await().atMost(PATIENCE).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get())
          .hasMessage(
              "Fedora's process has ended (Fedora was killed by the kernel for lack of memory"
                  + " (signal 9)) in the midst of the ingest.");
    }
  }

  @Test
  void withoutRestartsTheFirstEndIsTheRuns() {
    try (StackKeeper keeper = StackKeeper.start(stack, 0, heard)) {
      stack.missing = List.of("Fedora");

      await().atMost(PATIENCE).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get())
          .hasMessage("Fedora's process has ended in the midst of the ingest.");
      assertThat(stack.started).hasValue(0);
    }
  }

  @Test
  void aStackThatDoesNotComeUpEndsTheRunInItsWords() {
    stack.trouble = "the disk is full";
    try (StackKeeper keeper = StackKeeper.start(stack, 3, heard)) {
      stack.missing = List.of("Fedora");

      await().atMost(PATIENCE).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get()).hasMessageContaining("the disk is full");
      assertThat(keeper.outages()).hasSize(1);
    }
  }

  @Test
  void anErrorOfTheKeepersEndsTheRunToo() {
    stack.error = new OutOfMemoryError("none left");
    try (StackKeeper keeper = StackKeeper.start(stack, 3, heard)) {
      await().atMost(PATIENCE).until(() -> keeper.failure().isPresent());

      assertThat(keeper.failure().get()).hasMessageContaining("none left");
    }
  }

  @Test
  void closingCutsAStartThatIsUnderWayAndIsNoFailure() throws InterruptedException {
    stack.hangs = true;
    StackKeeper keeper = StackKeeper.start(stack, 3, heard);
    stack.missing = List.of("Fedora");
    stack.starting.await();

    keeper.close();

    assertThat(keeper.failure()).isEmpty();
    assertThat(keeper.outages()).isEmpty();
  }

  private static final class FakeStack implements StackKeeper.Kept {
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    private final CountDownLatch starting = new CountDownLatch(1);
    private volatile List<String> missing = List.of();
    private volatile String kills = "";
    private volatile String trouble;
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
    public void hasEnded() {
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
      if (trouble != null) {
        throw new IOException(trouble);
      }
      started.incrementAndGet();
      missing = List.of();
    }
  }
}
