package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InterruptionTest {
  private final Interruption interruption = new Interruption(Duration.ofMillis(1));
  private final AtomicInteger stops = new AtomicInteger();

  @AfterEach
  void clearTheFlag() {
    Thread.interrupted();
  }

  @Test
  void aWaitOfAJobThatIsEndingEndsSoonAfterARequest() {
    interruption.conductedBy(Thread.currentThread());
    interruption.cleanUp();

    assertThatThrownBy(
            () ->
                interruption.waitFor(
                    () -> {
                      interruption.raise();
                      new CountDownLatch(1).await();
                    }))
        .isInstanceOf(InterruptedException.class);

    assertThat(interruption.cutShort()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aWaitThatBeginsAfterARequestEndsSoonToo() {
    interruption.conductedBy(Thread.currentThread());
    interruption.raise();
    interruption.cleanUp();

    assertThatThrownBy(() -> interruption.waitFor(() -> new CountDownLatch(1).await()))
        .isInstanceOf(InterruptedException.class);

    assertThat(interruption.cutShort()).isTrue();
  }

  @Test
  void completesAWaitWithoutAStopRequest() throws InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    AtomicInteger waits = new AtomicInteger();

    interruption.waitFor(waits::incrementAndGet);
    interruption.raise();

    assertThat(waits).hasValue(1);
    assertThat(interruption.cutShort()).isFalse();
  }

  @Test
  void interruptsAStepWithoutAGracefulStop() {
    interruption.conductedBy(Thread.currentThread());
    assertThatCode(interruption::check).doesNotThrowAnyException();

    interruption.raise();

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThatThrownBy(interruption::check).isInstanceOf(InterruptedException.class);
  }

  @Test
  void stopsAnIngestGracefully() {
    interruption.conductedBy(Thread.currentThread());
    interruption.beginGracefulStop(stops::incrementAndGet);

    interruption.raise();

    assertThat(stops).hasValue(1);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(interruption.raised()).isTrue();
  }

  @Test
  void anIngestThatBeginsAfterTheRequestStopsAtOnce() {
    interruption.raise();
    interruption.beginGracefulStop(stops::incrementAndGet);
    assertThat(stops).hasValue(1);
  }

  @Test
  void whatAnInterruptDoesNotReachIsCutAfterIt() {
    interruption.conductedBy(Thread.currentThread());
    boolean[] interruptedFirst = {false};
    interruption.onInterrupt(() -> interruptedFirst[0] = Thread.currentThread().isInterrupted());

    interruption.raise();

    assertThat(interruptedFirst[0]).isTrue();
  }

  @Test
  void cleaningUpIsLeftAlone() {
    interruption.conductedBy(Thread.currentThread());
    interruption.raise();
    interruption.cleanUp();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();

    interruption.raise();

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aRequestBeforeThereIsAConductorIsNotForgotten() {
    interruption.raise();
    assertThatThrownBy(interruption::check).isInstanceOf(InterruptedException.class);
  }
}
