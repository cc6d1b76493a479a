package org.fedometer.driver.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyFamily;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.verify.Verifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that are to be stated by a parent, which is ingested first. */
@Timeout(30)
class StatementAdditionTest {

  private static final RetryPolicy QUICK =
      new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));

  private final TinyFamily dataset = new TinyFamily();
  private final List<RequestEvent> events = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch stopping = new CountDownLatch(1);
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
  void ingestsTheParentFirstAndAddsEachChild() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (!pid.equals("tiny:0")) {
                assertThat(fedora.has("tiny:0")).as("the parent, when %s comes", pid).isTrue();
              }
              ScriptedFedora.INGEST.serve(exchange);
            };

    IngestResult result = ingest(100, 8);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.INGESTED)).isEqualTo(100);
    assertThat(result.count(Count.ADDITIONS)).isEqualTo(99);
    assertThat(result.count(Count.SENT)).isEqualTo(199);
    assertThat(fedora.statements)
        .hasSize(99)
        .contains("tiny:0 info:fedora/tiny:1", "tiny:0 info:fedora/tiny:99");
    long own = 0;
    for (int i = 0; i < 100; i++) {
      own += dataset.object(i).triples();
    }
    assertThat(result.count(Count.EXPECTED_TRIPLES)).isEqualTo(own + 99);
    assertThat(events)
        .filteredOn(event -> event.operation() == Operation.ADD_RELATIONSHIP)
        .hasSize(99)
        .allMatch(event -> event.outcome() == Outcome.DONE && event.pid().equals("tiny:0"));
    assertThat(result.latency().count()).isEqualTo(100);
    assertThat(fedora.additions.get(0).path)
        .contains("?subject=info%3Afedora%2Ftiny%3A0&predicate=info%3Aexample%2FhasPart&object=")
        .endsWith("&isLiteral=false");
    assertThat(fedora.additions.get(0).headers.get("traceparent"))
        .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
  }

  @Test
  void theVerificationReadsTheParentWithAllThatWasAdded() throws IOException {
    // More than are read back.
    IngestResult result = ingest(300, 4);
    assertThat(verify(result)).isEmpty();

    fedora.statements.remove("tiny:0 info:fedora/tiny:7");
    fedora.statements.add("tiny:0 info:fedora/tiny:999");
    assertThat(verify(result))
        .containsExactly(
            "tiny:0/RELS-EXT lacks info:example/hasPart <info:fedora/tiny:7>.",
            "tiny:0/RELS-EXT has info:example/hasPart <info:fedora/tiny:999>, which should not be"
                + " there.");
  }

  private List<String> verify(IngestResult result) throws IOException {
    fedora.answers =
        path -> {
          if (!path.startsWith("/objects?")) {
            return null;
          }
          StringBuilder xml = new StringBuilder("<result><resultList>");
          for (int i = 0; i < result.count(Count.INGESTED); i++) {
            xml.append("<objectFields><pid>tiny:").append(i).append("</pid></objectFields>");
          }
          return new ScriptedFedora.Reply(200, "text/xml", xml + "</resultList></result>");
        };
    try (FedoraClient client = client(4)) {
      Verifier.Options options = Verifier.Options.standard(1).withoutTriples();
      return new Verifier(client, dataset, options, ContentDelivery.inRequest())
          .verify(result, new Verifier.Before(0, 0))
          .problems();
    }
  }

  @Test
  void whatWasSentAgainIsThereOnceAndCountsOnce() throws IOException {
    fedora.additionScript =
        (statement, attempt) ->
            exchange -> {
              if (attempt == 1) {
                // Fedora adds it, but the answer is lost.
                fedora.statements.add(statement);
                exchange.reset();
              } else {
                ScriptedFedora.ADD.serve(exchange);
              }
            };

    IngestResult result = ingest(5, 1);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.ADDITIONS)).isEqualTo(4);
    assertThat(result.count(Count.FAILED_REQUESTS)).isEqualTo(4);
    assertThat(fedora.statements).hasSize(4);
  }

  @Test
  void aFedoraThatRefusesTwoChangesAtOnceGetsOneAfterTheOther() throws IOException {
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger refusals = new AtomicInteger();
    CountDownLatch second = new CountDownLatch(1);
    fedora.additionScript =
        (statement, attempt) ->
            exchange -> {
              // Over before the response: its receiver may send the next request.
              if (atOnce.incrementAndGet() > 1) {
                refusals.incrementAndGet();
                atOnce.decrementAndGet();
                exchange.answer(409, "tiny:0 is currently being modified by another thread");
                second.countDown();
              } else {
                await(second); // the first is at it until another comes
                atOnce.decrementAndGet();
                ScriptedFedora.ADD.serve(exchange);
              }
            };

    IngestResult result = ingest(200, 8);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.ADDITIONS)).isEqualTo(199);
    assertThat(fedora.statements).hasSize(199);
    // Those that were under way when the first was refused, and what these met.
    assertThat(refusals.get()).isBetween(1, 16);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStatementThatIsRefusedIsAProblemOfTheRunAndNotTheObjects() throws IOException {
    fedora.additionScript =
        (statement, attempt) ->
            statement.endsWith(":3")
                ? exchange -> exchange.answer(500, "no space")
                : ScriptedFedora.ADD;

    IngestResult result = ingest(6, 2);

    assertThat(result.complete()).isFalse();
    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.count(Count.INGESTED)).isEqualTo(6);
    assertThat(result.count(Count.FAILED)).isZero();
    assertThat(result.count(Count.ADDITIONS)).isEqualTo(4);
    assertThat(result.count(Count.FAILED_ADDITIONS)).isEqualTo(1);
    assertThat(verify(result))
        .containsExactly("1 statement could not be added to other objects; 4 were added.");
    assertThat(result.failures().givenUp())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.operation()).isEqualTo(Operation.ADD_RELATIONSHIP);
              assertThat(failure.objectIndex()).isEqualTo(3);
              assertThat(failure.message()).endsWith("(given up after 3 attempts)");
            });
  }

  @Test
  void aFedoraThatComesBackGetsTheStatementThatItMissed() throws Exception {
    AtomicInteger killed = new AtomicInteger();
    List<Thread> restarts = Collections.synchronizedList(new ArrayList<>());
    fedora.additionScript =
        (statement, attempt) ->
            exchange -> {
              if (statement.endsWith(":5") && killed.getAndIncrement() == 0) {
                fedora.kill();
                Thread restart = new Thread(fedora::restart);
                restarts.add(restart);
                restart.start();
              } else {
                ScriptedFedora.ADD.serve(exchange);
              }
            };

    IngestResult result = ingest(20, 1);
    for (Thread restart : restarts) {
      restart.join();
    }

    assertThat(result.complete()).isTrue();
    assertThat(fedora.statements).hasSize(19);
  }

  @Test
  void aRunWhoseParentIsMissingStopsInsteadOfFailingForEver() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(400, "not valid");
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(500, 2);

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(result.reason())
        .startsWith("The first 20 additions of statements all failed in the same way")
        .contains("404");
    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.count(Count.FAILED_ADDITIONS)).isBetween(20L, 22L);
  }

  @Test
  void countsOpenStatementsOfAStopAsFailed() throws Exception {
    try (FedoraClient client = client(1)) {
      IngestDriver driver =
          new IngestDriver(
              client,
              dataset,
              IngestOptions.of(4, 1).withRetry(RetryPolicy.standard()),
              RequestSink.NONE,
              event -> {
                events.add(event);
                if (event.outcome() == Outcome.RETRIED) {
                  stopping.countDown();
                }
              });
      fedora.additionScript =
          (statement, attempt) ->
              statement.endsWith(":3") ? exchange -> exchange.answer(503, "") : ScriptedFedora.ADD;
      Thread stopper =
          new Thread(
              () -> {
                await(stopping);
                driver.stop();
              });
      stopper.start();
      IngestResult result = driver.run();
      stopper.join();

      assertThat(result.complete()).isFalse();
      assertThat(result.count(Count.INGESTED)).isEqualTo(4);
      assertThat(result.count(Count.ADDITIONS)).isEqualTo(2);
      assertThat(result.count(Count.FAILED_ADDITIONS)).isEqualTo(1);
    }
  }

  @Test
  void countsUnrecordedStatementsAsFailed() throws Exception {
    try (FedoraClient client = client(1)) {
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(4, 1).withRetry(QUICK),
                  event -> {
                    if (event.operation() == Operation.INGEST && event.objectIndex() == 2) {
                      throw new IOException("no collector");
                    }
                  },
                  RequestListener.NONE)
              .run();

      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
      assertThat(result.count(Count.INGESTED)).isEqualTo(3);
      assertThat(result.count(Count.ADDITIONS)).isEqualTo(1);
      assertThat(result.count(Count.FAILED_ADDITIONS)).isEqualTo(1);
    }
  }

  @Test
  void moreObjectsThanTheDatasetHasAreRefused() {
    try (FedoraClient client = client(1)) {
      assertThatThrownBy(
              () ->
                  new IngestDriver(
                      client,
                      dataset,
                      IngestOptions.of(1_001, 1),
                      RequestSink.NONE,
                      RequestListener.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "dataset tiny has 1,000 objects, numbered from 0; 1,001 from number 0 on are too"
                  + " many");
    }
  }

  private IngestResult ingest(long objects, int workers) throws IOException {
    try (FedoraClient client = client(workers)) {
      return new IngestDriver(
              client,
              dataset,
              IngestOptions.of(objects, workers).withRetry(QUICK),
              RequestSink.NONE,
              events::add)
          .run();
    }
  }

  private FedoraClient client(int workers) {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(workers));
  }
}
