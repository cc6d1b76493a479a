package org.fedometer.collector.segmentlog;

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
class SealSchedulerTest {
  private static final String STORE_ID = "0a1b2c3d";

  @TempDir Path directory;

  private final BlockingQueue<SealScheduler.Outcome> outcomes = new LinkedBlockingQueue<>();

  /** So many attempts come to their end. */
  private final Semaphore attempts = new Semaphore(1);

  @BeforeEach
  void makeStore() throws Exception {
    Files.createDirectory(RunStore.at(directory).runsDirectory());
  }

  @Test
  void doesNotRetryTwiceWhileClosing() throws Exception {
    SealScheduler sealScheduler =
        new SealScheduler(STORE_ID, 64L << 20, Duration.ofMillis(1), this::ended);
    try (RunSegmentLog blocked = unsealed("blocked");
        RunSegmentLog sound = unsealed("sound")) {
      Files.writeString(blocked.folder().path().resolve("tables"), "no folder");
      sealScheduler.submit(blocked);
      assertThat(sealScheduler.complete(next())).isFalse();
      SealScheduler.Outcome again = next();

      sealScheduler.stopRetrying();
      attempts.release(10);

      assertThat(sealScheduler.complete(again)).isFalse();
      assertThat(sealScheduler.isBusy()).isFalse();
      sealScheduler.submit(sound);
      SealScheduler.Outcome following = next();
      assertThat(following.run()).isSameAs(sound);
      assertThat(sealScheduler.complete(following)).isTrue();
    } finally {
      attempts.release(10);
      sealScheduler.close();
    }
  }

  @Test
  void sealingMayWriteAfterTheCloseTimeoutUntilItEnds() throws Exception {
    attempts.drainPermits();
    SealScheduler sealScheduler =
        new SealScheduler(STORE_ID, 64L << 20, Duration.ofMillis(1), this::ended);
    try (RunSegmentLog run = unsealed("slow")) {
      sealScheduler.submit(run);
      next();

      sealScheduler.close(Duration.ofMillis(1));
      assertThat(sealScheduler.hasEnded()).isFalse();

      attempts.release(10);
      sealScheduler.awaitEnd();
      assertThat(sealScheduler.hasEnded()).isTrue();
    } finally {
      attempts.release(10);
      sealScheduler.close();
    }
  }

  private void ended(SealScheduler.Outcome outcome) {
    outcomes.add(outcome);
    attempts.acquireUninterruptibly();
  }

  private SealScheduler.Outcome next() throws InterruptedException {
    SealScheduler.Outcome next = outcomes.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private RunSegmentLog unsealed(String name) throws Exception {
    RunSegmentLog run =
        RunSegmentLog.open(RunStore.at(directory).folderOf(name), STORE_ID, "", DurableFrames.NONE);
    Source source = run.source(Hello.builder(new UUID(1, 1), "agent").build(), 0);
    byte[] names = new Dictionary().put(0, "ingest").encode();
    run.append(source, new Frame(FrameType.STAGES.code(), 1, names));
    run.rotate();
    return run;
  }
}
