package org.fedometer.driver.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects due at even intervals, however long Fedora needs. */
@Timeout(60)
class ArrivalRateTest {

  private final TinyDataset dataset = new TinyDataset();
  private final List<RequestEvent> events = Collections.synchronizedList(new ArrayList<>());
  private ScriptedFedora fedora;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(dataset);
  }

  @AfterEach
  void stop() {
    fedora.close();
  }

  @Test
  void sendsObjectsAtEvenIntervals() throws IOException {
    IngestResult result = ingest(100, 8, 200);

    assertThat(result.complete()).isTrue();
    List<RequestEvent> inOrder = inOrder();
    assertThat(inOrder).hasSize(100);
    for (int i = 0; i < 100; i++) {
      RequestEvent event = inOrder.get(i);
      assertThat(event.intendedStartNanos()).isEqualTo(result.startNanos() + i * 5_000_000L);
      assertThat(event.startNanos()).isGreaterThanOrEqualTo(event.intendedStartNanos());
    }
    assertThat(result.endNanos() - result.startNanos()).isGreaterThanOrEqualTo(99 * 5_000_000L);
  }

  @Test
  void keepsTheIntendedStartBehindASlowResponse() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (pid.equals("tiny:0")) {
                awaitQuietly(answer);
              }
              ScriptedFedora.INGEST.serve(exchange);
            };
    List<IngestProgress> seen = Collections.synchronizedList(new ArrayList<>());
    try (FedoraClient client = client(1)) {
      IngestDriver driver = driver(client, 50, 1, 1_000);
      Thread observer =
          new Thread(
              () -> {
                // All that are due wait for the one worker.
                while (driver.progress().load().behindSchedule() < 49) {
                  Thread.onSpinWait();
                }
                seen.add(driver.progress());
                answer.countDown();
              });
      observer.start();
      IngestResult result = driver.run();
      observer.join();

      assertThat(result.complete()).isTrue();
      assertThat(seen.get(0).load().behindSchedule()).isEqualTo(49);
      assertThat(driver.progress().load().behindSchedule()).isZero();
      List<RequestEvent> inOrder = inOrder();
      for (int i = 1; i < 50; i++) {
        RequestEvent event = inOrder.get(i);
        assertThat(event.intendedStartNanos()).isEqualTo(result.startNanos() + i * 1_000_000L);
        // Not before the first was answered, which was when all were due.
        assertThat(event.startNanos()).isGreaterThanOrEqualTo(result.startNanos() + 49_000_000L);
      }
    }
  }

  @Test
  void aRetryKeepsTheIntendedStart() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt < 3
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(503, "");
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(1, 1, 10);

    assertThat(result.complete()).isTrue();
    assertThat(events)
        .extracting(RequestEvent::outcome)
        .containsExactly(Outcome.RETRIED, Outcome.RETRIED, Outcome.INGESTED);
    assertThat(events)
        .extracting(RequestEvent::intendedStartNanos)
        .containsOnly(result.startNanos());
  }

  @Test
  void aStopDoesNotWaitForTheNextIntendedStart() throws Exception {
    try (FedoraClient client = client(2)) {
      IngestDriver driver = driver(client, 1_000, 2, 0.01);
      Thread stopper =
          new Thread(
              () -> {
                while (driver.progress().objects().ingested() == 0) {
                  Thread.onSpinWait();
                }
                driver.stop();
              });
      stopper.start();
      IngestResult result = driver.run();
      stopper.join();

      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.STOPPED);
      assertThat(result.count(Count.INGESTED)).isEqualTo(1);
      assertThat(fedora.objects()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1e-9, 100_001, Double.NaN, Double.POSITIVE_INFINITY})
  void ratesThatMakeNoSenseAreRefused(double rate) {
    assertThatThrownBy(() -> new Load.ArrivalRate(rate))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give one above 0, at most 100000");
  }

  @Test
  void theScheduleDoesNotDrift() {
    Schedule third = new Schedule(Long.MAX_VALUE);
    third.start(0);
    third.setRate(3, 0);

    assertThat(third.overdue(0, 0)).isEqualTo(1);
    assertThat(third.overdue(999_999_999, 0)).isEqualTo(3);
    assertThat(third.overdue(1_000_000_001, 0)).isEqualTo(4);
    assertThat(third.overdue(1_000_000_000L * 1_000_000_000L, 0)).isEqualTo(3_000_000_001L);
  }

  private List<RequestEvent> inOrder() {
    return events.stream().sorted(Comparator.comparing(RequestEvent::objectIndex)).toList();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private IngestResult ingest(long objects, int workers, double rate) throws IOException {
    try (FedoraClient client = client(workers)) {
      return driver(client, objects, workers, rate).run();
    }
  }

  private IngestDriver driver(FedoraClient client, long objects, int workers, double rate) {
    RetryPolicy quick =
        new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));
    return new IngestDriver(
        client,
        dataset,
        IngestOptions.of(objects, workers).withRetry(quick).withLoad(new Load.ArrivalRate(rate)),
        RequestSink.NONE,
        events::add);
  }

  private FedoraClient client(int workers) {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(workers));
  }
}
