package org.fedometer.driver.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.Test;

class FlushConfirmationTest {

  @Test
  void itsSessionIsKeptAliveBetweenTwoFlushesAndNoticesARestart() throws Exception {
    try (ScriptedFedora fedora = new ScriptedFedora(new TinyDataset());
        FedoraClient client =
            FedoraClient.open(
                new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
                FedoraClientOptions.forWorkers(1));
        Journal journal = Journal.inMemory(0)) {
      CountDownLatch asked = new CountDownLatch(3);
      CountDownLatch lost = new CountDownLatch(1);
      fedora.interceptor =
          exchange -> {
            asked.countDown();
            return false;
          };
      client.onSessionLost(lost::countDown);

      try (FlushConfirmation ignored =
          new FlushConfirmation(
              client.newSession(), journal, Duration.ofHours(1), Duration.ofMillis(5))) {
        assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(lost.getCount()).isEqualTo(1);
        assertThat(fedora.flushes).hasValue(0);

        fedora.forgetSessions();
        assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void aFlushThatOutlastsTheLoadIsNoPartOfItsTime() throws Exception {
    TinyDataset dataset = new TinyDataset();
    try (ScriptedFedora fedora = new ScriptedFedora(dataset);
        FedoraClient client =
            FedoraClient.open(
                new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
                FedoraClientOptions.forWorkers(1))) {
      Thread conductor = Thread.currentThread();
      AtomicBoolean flushing = new AtomicBoolean();
      AtomicLong flushedNanos = new AtomicLong();
      IngestDriver driver =
          new IngestDriver(
              client,
              dataset,
              IngestOptions.of(1, 1).withTriples(true, Duration.ofMillis(1)),
              RequestSink.NONE,
              RequestListener.NONE);
      fedora.interceptor =
          exchange -> {
            if (exchange.path.contains("flush=true")) {
              flushing.set(true);
              await().until(() -> waitsForTheFlush(conductor));
              flushedNanos.set(System.nanoTime());
              pauseIfItGoesOn(driver);
            }
            return false;
          };
      fedora.script =
          (pid, attempt) ->
              exchange -> {
                await().untilTrue(flushing);
                ScriptedFedora.INGEST.serve(exchange);
              };

      IngestResult result = driver.run();

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(flushedNanos.get() - result.endNanos()).isPositive();
      assertThat(result.interruptions().pauses()).isEmpty();
    }
  }

  @Test
  void aStopOrAnInterruptEndsTheWaitForAnotherFlush() throws Exception {
    StopSignal stop = new StopSignal();
    try (Journal journal = Journal.inMemory(0)) {
      journal.flushLock().lock();
      try {
        CompletableFuture<Boolean> stopped =
            CompletableFuture.supplyAsync(() -> lockUnlessStopped(journal, stop));
        CompletableFuture<Boolean> interrupted =
            CompletableFuture.supplyAsync(
                () -> {
                  Thread.currentThread().interrupt();
                  try {
                    return lockUnlessStopped(journal, new StopSignal());
                  } finally {
                    assertThat(Thread.interrupted()).isTrue();
                  }
                });

        assertThatThrownBy(() -> interrupted.get(60, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(RunStop.class);
        assertThat(stopped.isDone()).isFalse();
        stop.raise();
        assertThat(stopped.get(60, TimeUnit.SECONDS)).isFalse();
      } finally {
        journal.flushLock().unlock();
      }

      assertThat(FlushConfirmation.lockUnlessStopped(journal, stop)).isFalse();
      assertThat(journal.flushLock().isLocked()).isFalse();
      assertThat(FlushConfirmation.lockUnlessStopped(journal, new StopSignal())).isTrue();
      journal.flushLock().unlock();
    }
  }

  private static boolean lockUnlessStopped(Journal journal, StopSignal stop) {
    try {
      return FlushConfirmation.lockUnlessStopped(journal, stop);
    } catch (RunStop e) {
      throw new CompletionException(e);
    }
  }

  private static void pauseIfItGoesOn(IngestDriver driver) {
    try {
      driver.pause();
    } catch (IllegalStateException e) {
      // as it should be: the load is over
    }
  }

  private static boolean waitsForTheFlush(Thread conductor) {
    return Arrays.stream(conductor.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(FlushConfirmation.class.getName())
                    && frame.getMethodName().equals("close"));
  }
}
