package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.load.Schedule;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.request.StopSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The workers that look at what Fedora may have lost. */
@Timeout(60)
class RecheckCrewTest {

  @Test
  void whoDoesNotEndByAStopIsInterruptedAndLeftBehind() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    LoadEnd end = new LoadEnd(new StopSignal(), new Schedule(1));
    try (FedoraClient client =
        FedoraClient.open(
            new FedoraLogin(
                URI.create("http://127.0.0.1:1/fedora"), "nobody", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(1))) {
      RecheckCrew crew =
          new RecheckCrew(
              client,
              1,
              stoppedWithin(Duration.ofMillis(50)),
              end,
              (worker, session) -> null,
              () -> {},
              Duration.ofMillis(50));
      end.stop();

      crew.work((worker, session) -> awaitWhateverComes(over, interrupted));

      assertThat(over.getCount()).as("the worker goes on").isEqualTo(1);
      assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      over.countDown();
    }
  }

  private static IngestOptions stoppedWithin(Duration patience) {
    return new IngestOptions(
        0,
        1,
        1,
        new Load.ClosedLoop(),
        RetryPolicy.standard(),
        patience,
        Ends.AT_THE_LAST_OBJECT,
        Shard.WHOLE,
        Long.MAX_VALUE,
        true,
        Duration.ZERO,
        ContentDelivery.inRequest(),
        null);
  }

  private static void awaitWhateverComes(CountDownLatch over, CountDownLatch interrupted) {
    while (true) {
      try {
        over.await();
        return;
      } catch (InterruptedException e) {
        interrupted.countDown();
      }
    }
  }
}
