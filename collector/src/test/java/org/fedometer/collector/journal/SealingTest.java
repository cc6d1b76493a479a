package org.fedometer.collector.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.RunStore;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SealingTest {
  private static final String STORE_ID = "0a1b2c3d";

  @TempDir Path directory;

  private final BlockingQueue<Sealing.Outcome> outcomes = new LinkedBlockingQueue<>();

  /** So many attempts come to their end. */
  private final Semaphore attempts = new Semaphore(1);

  @BeforeEach
  void makeStore() throws Exception {
    Files.createDirectory(RunStore.at(directory).runsDirectory());
  }

  @Test
  void whatIsJustBeingTriedAgainWhenTheCollectorEndsIsNotTriedTwice() throws Exception {
    Sealing sealing = new Sealing(STORE_ID, 64L << 20, Duration.ofMillis(1), this::ended);
    try (RunJournal blocked = unsealed("blocked");
        RunJournal sound = unsealed("sound")) {
      Files.writeString(blocked.folder().path().resolve("tables"), "no folder");
      sealing.take(blocked);
      assertThat(sealing.settle(next())).isFalse();
      Sealing.Outcome again = next();

      sealing.stopRetrying();
      attempts.release(10);

      assertThat(sealing.settle(again)).isFalse();
      assertThat(sealing.isBusy()).isFalse();
      sealing.take(sound);
      Sealing.Outcome following = next();
      assertThat(following.run()).isSameAs(sound);
      assertThat(sealing.settle(following)).isTrue();
    } finally {
      attempts.release(10);
      sealing.close();
    }
  }

  @Test
  void aSealingThatOutlastsThePatienceOfItsEndMayStillWriteUntilItHasEnded() throws Exception {
    attempts.drainPermits();
    Sealing sealing = new Sealing(STORE_ID, 64L << 20, Duration.ofMillis(1), this::ended);
    try (RunJournal run = unsealed("slow")) {
      sealing.take(run);
      next();

      sealing.close(Duration.ofMillis(1));
      assertThat(sealing.hasEnded()).isFalse();

      attempts.release(10);
      sealing.awaitEnd();
      assertThat(sealing.hasEnded()).isTrue();
    } finally {
      attempts.release(10);
      sealing.close();
    }
  }

  private void ended(Sealing.Outcome outcome) {
    outcomes.add(outcome);
    attempts.acquireUninterruptibly();
  }

  private Sealing.Outcome next() throws InterruptedException {
    Sealing.Outcome next = outcomes.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private RunJournal unsealed(String name) throws Exception {
    RunJournal run =
        RunJournal.open(RunStore.at(directory).folderOf(name), STORE_ID, "", DurableFrames.NONE);
    Source source = run.source(Hello.builder(new UUID(1, 1), "agent").build(), 0);
    byte[] names = new Dictionary().put(0, "ingest").encode();
    run.append(source, new Frame(FrameType.STAGES.code(), 1, names));
    run.rotate();
    return run;
  }
}
