package org.fedometer.driver.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.request.StopSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers, until there is nothing left to do or a stop is over. */
@Timeout(60)
class WorkerPoolTest {

  @Test
  void interruptsAndAbandonsWorkersThatDoNotStop() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    StopSignal stop = new StopSignal();
    LoadEnd end = new LoadEnd(stop, new Schedule(1));
    RetryPolicy policy = RetryPolicy.standard();
    try (FedoraClient client =
        FedoraClient.open(
            new FedoraLogin(
                URI.create("http://127.0.0.1:1/fedora"), "nobody", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(1))) {
      WorkerPool pool =
          new WorkerPool(
              client,
              policy,
              new CircuitBreaker(
                  client, policy.outageLimit(), stop, RequestListener.NONE, Shard.WHOLE),
              end,
              Duration.ofMillis(50),
              Duration.ofMillis(50),
              "fedometer-test-");
      end.stop();

      pool.work(1, worker -> awaitWhateverComes(over, interrupted), () -> {});

      assertThat(over.getCount()).as("the worker goes on").isEqualTo(1);
      assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      over.countDown();
    }
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
