package org.fedometer.driver.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedOperations;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.load.LoadStep;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.wire.TestDelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations of a mix, and lost or refused responses. */
@Timeout(60)
class MixTest {

  private static final String EVERYTHING =
      "ingest=8,get-object=2,get-datastream=2,get-dc=2,modify-datastream=4,add-datastream=3,purge=3,"
          + "find-objects=1,find-newest=1,risearch=2,oai-identify=1,oai-list-metadata-formats=1,"
          + "oai-list-sets=1,oai-list-identifiers=1,oai-list-records=1,oai-get-record=1";

  private final TinyDataset dataset = new TinyDataset();
  private final List<RequestEvent> events = Collections.synchronizedList(new ArrayList<>());
  private ScriptedFedora fedora;
  private ScriptedOperations operations;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(dataset);
    operations = new ScriptedOperations(fedora);
  }

  @AfterEach
  void stop() {
    fedora.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  void theSameStepsAreDoneByAnyNumberOfWorkers(int workers) throws IOException {
    IngestResult result = run(EVERYTHING, 170, workers, 40, 0);

    assertThat(result.complete()).isTrue();
    MixOrder order = new MixOrder(result.mix().options(), 0);
    TreeSet<String> wanted = new TreeSet<>();
    for (long number = 0; number < 170; number++) {
      MixOrder.MixStep step = order.step(number);
      wanted.add(step.operation() + " " + step.target());
    }
    TreeSet<String> done = new TreeSet<>();
    events.forEach(event -> done.add(event.operation() + " " + event.objectIndex()));
    assertThat(done).isEqualTo(wanted);
    assertThat(events).hasSize(171); // and the question for the name in OAI identifiers
    assertThat(result.mix().counts().get(Operation.INGEST).done()).isEqualTo(40);
    assertThat(result.count(Count.INGESTED)).isEqualTo(80);
  }

  @Test
  void aStepOfASweepCountsItsReadsByKind() throws IOException {
    run("get-object=1", 1, 1, 10, 0); // what is read is there
    events.clear();
    MixOptions reads = MixOptions.of(Mix.parse("get-datastream=3,get-object=1"), 1, 10L, 0, 0, 80);
    Load sweep = new Load.Sweep(List.of(1, 3), null, 40, 0);
    IngestOptions asked = IngestOptions.of(80, 1).withMix(reads).withLoad(sweep);
    IngestResult result;
    try (FedoraClient client = client(3)) {
      result = new IngestDriver(client, dataset, asked, RequestSink.NONE, events::add).run();
    }

    assertThat(events).hasSize(80);
    assertThat(result.steps()).hasSize(2);
    for (LoadStep step : result.steps()) {
      assertThat(step.operations())
          .extracting(LoadStep.Kind::operation, LoadStep.Kind::done, LoadStep.Kind::failedRequests)
          .containsExactly(
              tuple(Operation.GET_OBJECT, 10L, 0L), tuple(Operation.GET_DATASTREAM, 30L, 0L));
      assertThat(step.operations())
          .allSatisfy(
              kind -> {
                assertThat(kind.serviceTimes().count()).isEqualTo(kind.done());
                assertThat(kind.responseTimes().count()).isEqualTo(kind.done());
              });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void afterAMixAllIsAsItsStepsHaveMadeIt(int workers) throws IOException {
    try (FedoraClient client = client(workers)) {
      Verifier verifier = verifier(client);
      IngestResult result = run(client, EVERYTHING, 340, workers, 40, 0);
      Verification found = verifier.verify(result, new Verifier.Before(0, 0));

      assertThat(found.problems()).isEmpty();
      assertThat(result.purged()).isEqualTo(30);
      assertThat(found.objectsCounted()).isEqualTo(40 + 80 - 30);
      assertThat(found.sampledObjects()).isEqualTo(90);
      assertThat(found.equalObjects()).isEqualTo(90);
      assertThat(found.triplesCounted()).isEqualTo(found.triplesExpected()).isPositive();
    }
  }

  @Test
  void aModificationThatIsNotThereIsFound() throws IOException {
    try (FedoraClient client = client(2)) {
      IngestResult result = run(client, "modify-datastream=1", 20, 2, 10, 0);
      long modified = new MixOrder(result.mix().options(), 0).step(19).target();
      operations.replace("tiny:" + modified, "FULLTEXT", "text of " + modified);

      Verification found = verifier(client).verify(result, new Verifier.Before(0, 0));

      assertThat(found.problems()).hasSize(1);
      assertThat(found.problems().get(0)).contains("tiny:" + modified + "/FULLTEXT holds");
    }
  }

  @Test
  void anObjectThatIsThereAfterItsPurgeIsFound() throws IOException {
    try (FedoraClient client = client(2)) {
      IngestResult result = run(client, "purge=1,ingest=1", 20, 2, 10, 0);
      fedora.replace(dataset.object(3));

      Verification found = verifier(client).verify(result, new Verifier.Before(0, 0));

      assertThat(found.problems())
          .contains("tiny:3 was purged, and is still in Fedora.")
          .anyMatch(problem -> problem.contains("and should find 10"));
    }
  }

  @Test
  void aPurgeWhoseAnswerIsLostIsNotRepeated() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("DELETE")) {
            operations.purge(exchange);
            exchange.reset();
            return true;
          }
          return false;
        };

    IngestResult result = run("purge=1", 5, 1, 10, 0);

    assertThat(result.complete()).isTrue();
    assertThat(result.purged()).isEqualTo(5);
    assertThat(operations.count("DELETE")).isEqualTo(5);
    assertThat(events).extracting(RequestEvent::outcome).containsOnly(Outcome.FOUND_COMPLETE);
  }

  @Test
  void aPurgeThatWasNotDoneIsRepeated() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("DELETE") && number == 1) {
            exchange.reset();
            return true;
          }
          return false;
        };

    IngestResult result = run("purge=1", 3, 1, 10, 0);

    assertThat(result.purged()).isEqualTo(3);
    assertThat(events)
        .extracting(RequestEvent::outcome)
        .containsExactly(
            Outcome.RETRIED,
            Outcome.DONE,
            Outcome.RETRIED,
            Outcome.DONE,
            Outcome.RETRIED,
            Outcome.DONE);
  }

  @Test
  void anAdditionWhoseAnswerIsLostIsNotRepeated() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("POST") && exchange.path.contains("/datastreams/ADDED-")) {
            operations.store(exchange);
            exchange.reset();
            return true;
          }
          return false;
        };

    IngestResult result = run("add-datastream=1", 4, 1, 10, 0);

    assertThat(result.complete()).isTrue();
    assertThat(operations.requests.stream().filter(r -> r.matches("POST .*/ADDED-\\d+\\?.*")))
        .hasSize(4);
    assertThat(result.count(Count.EXPECTED_TRIPLES))
        .isEqualTo(10 * dataset.object(0).triples() + 4 * 6);
  }

  @Test
  void aModificationWhoseAnswerIsLostIsSentAgain() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("PUT") && number == 1) {
            operations.store(exchange);
            exchange.reset();
            return true;
          }
          return false;
        };

    IngestResult result = run("modify-datastream=1", 1, 1, 10, 0);

    assertThat(result.complete()).isTrue();
    assertThat(operations.count("PUT")).isEqualTo(2);
  }

  @Test
  void aReadOfWhatIsNotThereFailsAtOnceAndTheRunIsNotComplete() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("GET") && exchange.path.startsWith("/objects/tiny:4?")) {
            exchange.answer(404, "Object not found in low-level storage: tiny:4");
            return true;
          }
          return false;
        };
    try (FedoraClient client = client(1)) {
      IngestResult result = run(client, "get-object=1", 60, 1, 10, 0);

      long of4 = operations.count("GET /objects/tiny:4?");
      assertThat(of4).isPositive();
      assertThat(result.complete()).isFalse();
      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
      assertThat(result.failedOperations()).isEqualTo(of4);
      assertThat(result.failures().givenUp().get(0).message())
          .isEqualTo("404, Object not found in low-level storage: tiny:4");
    }
  }

  @Test
  void readsThatAllFailInTheSameWayEndTheRun() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.startsWith("/oai")) {
            exchange.answer(404, "no such servlet");
            return true;
          }
          return false;
        };

    IngestResult result = run("oai-identify=1,get-object=1", 1_000, 2, 10, 0);

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(result.reason())
        .startsWith("The first 20 requests of the kind oai-identify all failed in the same way");
  }

  @ParameterizedTest
  @CsvSource({"404", "500"})
  void aSearchThatMeetsAPurgedObjectIsBegunAgain(int status) throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.startsWith("/objects?") && number == 1) {
            exchange.answer(status, "Object not found in low-level storage: tiny:1");
            return true;
          }
          return false;
        };

    IngestResult result = run("find-objects=1", 1, 1, 10, 0);

    assertThat(result.complete()).isTrue();
    assertThat(operations.count("GET /objects?")).isEqualTo(2);
  }

  @Test
  void aListWhoseTokenFedoraHasForgottenIsBegunAnew() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (!exchange.path.startsWith("/oai")) {
            return false;
          }
          exchange.answer(
              200,
              "text/xml",
              exchange.path.contains("resumptionToken")
                  ? "<OAI-PMH><error code=\"badResumptionToken\">Not known.</error></OAI-PMH>"
                  : "<OAI-PMH><ListRecords><resumptionToken>t1</resumptionToken></ListRecords>"
                      + "</OAI-PMH>",
              Map.of());
          return true;
        };

    IngestResult result = run("oai-list-records=1", 2, 1, 0, 0);

    assertThat(result.complete()).isTrue();
    assertThat(operations.requests.stream().filter(request -> request.contains("/oai")))
        .containsExactly(
            "GET /oai?verb=ListRecords&metadataPrefix=oai_dc",
            "GET /oai?verb=ListRecords&resumptionToken=t1",
            "GET /oai?verb=ListRecords&metadataPrefix=oai_dc");
  }

  @Test
  void anErrorByOaiIsAFailureThoughItsStatusIs200() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.startsWith("/oai?verb=GetRecord")) {
            exchange.answer(
                200,
                "text/xml",
                "<OAI-PMH><error code=\"idDoesNotExist\">No item.</error></OAI-PMH>",
                Map.of());
            return true;
          }
          return false;
        };

    IngestResult result = run("oai-get-record=1", 3, 1, 10, 0);

    assertThat(result.failedOperations()).isEqualTo(3);
    assertThat(result.failures().givenUp().get(0).message())
        .isEqualTo("OAI-PMH error idDoesNotExist: No item.");
  }

  @Test
  void manyWorkersAskForTheNameInOaiIdentifiersOnce() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.startsWith("/oai?verb=Identify")) {
            TestDelay.sleep(Duration.ofMillis(50));
          }
          return false;
        };

    run("oai-get-record=1", 40, 16, 10, 0);

    assertThat(operations.count("GET /oai?verb=Identify")).isEqualTo(1);
  }

  @Test
  void retriesAFailedIdentifyInTheNextStep() throws IOException {
    operations.fault =
        (exchange, number) -> {
          boolean refused = exchange.path.startsWith("/oai?verb=Identify") && number == 1;
          if (refused) {
            exchange.answer(400, "no");
          }
          return refused;
        };

    run("oai-get-record=1", 3, 1, 10, 0);

    assertThat(operations.count("GET /oai?verb=Identify")).isEqualTo(2);
    assertThat(operations.requests)
        .filteredOn(request -> request.startsWith("GET /oai?verb=GetRecord"))
        .hasSize(3)
        .last()
        .asString()
        .contains("example.org");
  }

  @Test
  void aPageOfHtmlCountsAsContentOnly() throws IOException {
    operations.fault =
        (exchange, number) -> {
          boolean read = exchange.method.equals("GET") && exchange.path.contains("/objects/tiny");
          if (read) {
            exchange.answer(200, "text/html", "<html><body>Please log in</body></html>", Map.of());
          }
          return read;
        };

    run("get-object=1,get-dc=1,get-datastream=1", 30, 1, 10, 0);

    assertThat(events)
        .hasSize(30)
        .allSatisfy(
            event -> {
              boolean content = event.operation() == Operation.GET_DATASTREAM;
              assertThat(event.outcome()).isEqualTo(content ? Outcome.DONE : Outcome.FAILED);
              assertThat(event.message().contains("an HTML page")).isEqualTo(!content);
            });
  }

  @Test
  void triplesAreWrittenAfterEverySoManyWrites() throws IOException {
    IngestResult result = run("ingest=2,modify-datastream=1,get-dc=3", 60, 4, 10, 5);

    assertThat(result.complete()).isTrue();
    assertThat(operations.requests.stream().filter(request -> request.contains("flush=true")))
        .as("of 30 writes")
        .hasSize(6);
    assertThat(events.stream().filter(event -> event.operation() == Operation.FLUSH_TRIPLES))
        .hasSize(6);
  }

  @Test
  void aFlushThatIsRefusedIsNotRepeatedAndTheRunIsNotComplete() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.contains("flush=true") && number == 1) {
            exchange.answer(500, "text/html", "Error flushing", Map.of());
            return true;
          }
          return false;
        };

    IngestResult result = run("ingest=1", 10, 1, 0, 5);

    assertThat(result.complete()).isFalse();
    assertThat(result.mix().failedFlushes()).isEqualTo(1);
    assertThat(operations.requests.stream().filter(request -> request.contains("flush=true")))
        .as("two times five writes")
        .hasSize(2);
    assertThat(result.count(Count.INGESTED)).isEqualTo(10);
  }

  @Test
  void nothingIsReadBeforeItsIngestIsAnsweredAndNothingIsPurgedWhileItIsRead() throws IOException {
    IngestResult result = run("ingest=2,get-object=9,modify-datastream=2,purge=2", 600, 8, 3, 0);

    assertThat(result.complete()).isTrue();
    Map<Long, RequestEvent> ingested = of(Operation.INGEST);
    Map<Long, RequestEvent> purged = of(Operation.PURGE);
    long compared = 0;
    for (RequestEvent event : events) {
      if (event.operation() == Operation.INGEST || event.operation() == Operation.PURGE) {
        continue;
      }
      RequestEvent ingest = ingested.get(event.objectIndex());
      RequestEvent purge = purged.get(event.objectIndex());
      if (ingest != null) {
        assertThat(event.startNanos()).isGreaterThanOrEqualTo(end(ingest));
        compared++;
      }
      if (purge != null) {
        assertThat(purge.startNanos()).isGreaterThanOrEqualTo(end(event));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(500);
  }

  private static long end(RequestEvent event) {
    return event.startNanos() + event.durationNanos();
  }

  private Map<Long, RequestEvent> of(Operation operation) {
    return events.stream()
        .filter(event -> event.operation() == operation)
        .collect(Collectors.toMap(RequestEvent::objectIndex, event -> event));
  }

  private IngestResult run(String mix, long steps, int workers, long preload, long flushEvery)
      throws IOException {
    try (FedoraClient client = client(workers)) {
      return run(client, mix, steps, workers, preload, flushEvery);
    }
  }

  /** Whatever comes before the mix is there; its events are not kept. */
  private IngestResult run(
      FedoraClient client, String mix, long steps, int workers, long preload, long flushEvery)
      throws IOException {
    RetryPolicy quick =
        new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));
    IngestOptions options = IngestOptions.of(preload, workers).withRetry(quick);
    IngestResult before =
        new IngestDriver(client, dataset, options, RequestSink.NONE, RequestListener.NONE).run();
    MixOptions mixed = MixOptions.of(Mix.parse(mix), 1, preload, flushEvery, 0, steps);
    IngestOptions asked = IngestOptions.of(steps, workers).withRetry(quick).withMix(mixed);
    IngestResult result =
        new IngestDriver(client, dataset, asked, RequestSink.NONE, events::add).run();
    return result.after(before);
  }

  private Verifier verifier(FedoraClient client) {
    return new Verifier(client, dataset, Verifier.Options.standard(1), ContentDelivery.inRequest());
  }

  private FedoraClient client(int workers) {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(workers));
  }
}
