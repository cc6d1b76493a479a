package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
      fedora.taker =
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
}
