package org.fedometer.driver.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.FailureStreak;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of content transfers by separate requests, or by Fedora's own. */
class ContentTransferTest {

  private static final RetryPolicy QUICK =
      new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(60));

  private final List<RequestEvent> events = new CopyOnWriteArrayList<>();
  private Dataset dataset = new TinyDataset();
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
  void anObjectIsCompleteWithTheLastOfItsDatastreams() throws IOException {
    IngestResult result = ingest(1, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(events)
        .extracting(RequestEvent::operation, RequestEvent::outcome, RequestEvent::contentBytes)
        .containsExactly(
            tuple(Operation.INGEST, Outcome.DONE, 0L),
            tuple(Operation.ADD_DATASTREAM, Outcome.DONE, 9L),
            tuple(Operation.ADD_DATASTREAM, Outcome.INGESTED, 10L));
    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.count(Count.CONTENT_BYTES)).isEqualTo(19);
    assertThat(result.count(Count.EXPECTED_TRIPLES)).isEqualTo(dataset.object(0).triples());
    assertThat(fedora.datastreams.get(0).path)
        .isEqualTo(
            "/objects/tiny:0/datastreams/FULLTEXT?controlGroup=M&dsLabel=FULLTEXT"
                + "&mimeType=text%2Fplain&versionable=true");
  }

  @Test
  void aDatastreamWhoseAnswerWasLostIsFoundAndNotDoubled() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.addDatastream();
              exchange.reset();
            };

    IngestResult result = ingest(1, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.count(Count.FOUND_COMPLETE)).isEqualTo(1);
    assertThat(result.count(Count.FAILED_REQUESTS)).isEqualTo(2);
    assertThat(fedora.datastreams).hasSize(2);
    assertThat(fedora.version("tiny:0", "FULLTEXT")).isZero();
    assertThat(events.get(1).message())
        .startsWith("No answer: ")
        .endsWith(". The datastream is in Fedora with all its content.");
  }

  @Test
  void aDatastreamThatDidNotArriveIsSentAgain() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            attempt == 1 ? ScriptedFedora.Exchange::reset : ScriptedFedora.ADD_DATASTREAM;

    IngestResult result = ingest(1, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(fedora.datastreams).hasSize(4);
    assertThat(fedora.version("tiny:0", "FULLTEXT")).isZero();
    assertThat(fedora.version("tiny:0", "IMAGE")).isZero();
  }

  @Test
  void retriesNothingWhileFedoraCannotBeQueried() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    fedora.answers =
        path ->
            path.endsWith("/FULLTEXT?format=xml") && asked.incrementAndGet() < 3
                ? new ScriptedFedora.Reply(503, "text/plain", "busy")
                : null;
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.addDatastream();
              exchange.answer(500, "");
            };

    IngestResult result = ingest(1, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(fedora.datastreams).hasSize(2);
    assertThat(asked).hasValueGreaterThanOrEqualTo(3);
  }

  @Test
  void failsWithoutRetryIfFedoraCannotBeQueried() throws IOException {
    fedora.answers =
        path ->
            path.contains("/datastreams/")
                ? new ScriptedFedora.Reply(503, "text/plain", "busy")
                : null;
    fedora.datastreamScript = (datastream, attempt) -> ScriptedFedora.Exchange::reset;

    IngestResult result = ingest(1, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(fedora.datastreams).hasSize(1);
    assertThat(result.failures().givenUp().get(0).message())
        .startsWith("Its outcome is unknown, since Fedora could not be queried:");
  }

  @Test
  void reportsALostAttemptThatArrivesLate() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              if (attempt == 1) {
                exchange.reset();
                return;
              }
              // The first attempt, which was still under way, and then this one.
              exchange.addDatastream();
              ScriptedFedora.ADD_DATASTREAM.serve(exchange);
            };

    IngestResult result = ingest(1, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.count(Count.INGESTED)).isZero();
    assertThat(result.failures().givenUp().get(0).message())
        .isEqualTo(
            "Fedora has the datastream in version FULLTEXT.1: an earlier attempt without a"
                + " response has succeeded, too.");
  }

  @Test
  void anObjectWithoutOneOfItsDatastreamsIsNotCounted() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(400, "no such thing");
            };

    IngestResult result = ingest(3, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.count(Count.INGESTED)).isZero();
    assertThat(result.count(Count.FAILED)).isEqualTo(3);
    assertThat(result.count(Count.EXPECTED_TRIPLES)).isZero();
    assertThat(result.failures().notIngested()).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(fedora.datastreams).hasSize(3);
    assertThat(result.failures().givenUp().get(0))
        .extracting(RequestEvent::operation, RequestEvent::message)
        .containsExactly(Operation.ADD_DATASTREAM, "400, no such thing");
  }

  @Test
  void objectsThatAreMadeButNeverCompletedEndTheRun() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(400, "no such thing");
            };

    IngestResult result = ingest(100, ContentPath.IN_REQUEST, Packaging.DATASTREAMS);

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(result.count(Count.FAILED)).isEqualTo(FailureStreak.MAX_INITIAL_FAILURES);
  }

  @Test
  void anObjectThatIsHalfMadeWhenTheRunStopsIsAbandoned() throws IOException {
    AtomicReference<IngestDriver> driver = new AtomicReference<>();
    RequestListener stopping =
        event -> {
          if (event.operation() == Operation.ADD_DATASTREAM) {
            driver.get().stop();
          }
        };
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(503, "busy");
            };
    try (FedoraClient client = client()) {
      driver.set(
          new IngestDriver(
              client,
              dataset,
              options(5).withContent(delivery(ContentPath.IN_REQUEST, Packaging.DATASTREAMS)),
              RequestSink.NONE,
              stopping));
      IngestResult result = driver.get().run();

      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.STOPPED);
      assertThat(result.count(Count.ABANDONED)).isEqualTo(1);
      assertThat(result.count(Count.INGESTED) + result.count(Count.FAILED)).isZero();
      assertThat(result.failures().notIngested()).containsExactly(0L);
    }
  }

  @Test
  void aFedoraThatIsAwayBetweenTwoDatastreamsIsWaitedFor() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              if (datastream.equals("tiny:0/IMAGE") && attempt == 1) {
                fedora.kill();
                exchange.reset();
                return;
              }
              ScriptedFedora.ADD_DATASTREAM.serve(exchange);
            };
    RequestListener restarting =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {}

          @Override
          public void onOutage(String reason) {
            fedora.restart();
          }
        };
    try (FedoraClient client = client()) {
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  options(2).withContent(delivery(ContentPath.IN_REQUEST, Packaging.DATASTREAMS)),
                  RequestSink.NONE,
                  restarting)
              .run();

      assertThat(result.count(Count.INGESTED)).isEqualTo(2);
      assertThat(result.interruptions().outages()).hasSize(1);
      assertThat(fedora.version("tiny:0", "IMAGE")).isZero();
      assertThat(fedora.version("tiny:1", "IMAGE")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUploadThatFedoraHasForgottenIsMadeAnew(Packaging packaging) throws IOException {
    AtomicInteger forgotten = new AtomicInteger();
    ScriptedFedora.Script forgetting =
        exchange -> {
          if (forgotten.getAndIncrement() == 0) {
            fedora.uploaded.clear(); // five minutes later
          }
          (packaging == Packaging.FOXML ? ScriptedFedora.INGEST : ScriptedFedora.ADD_DATASTREAM)
              .serve(exchange);
        };
    if (packaging == Packaging.FOXML) {
      fedora.script = (pid, attempt) -> forgetting;
    } else {
      fedora.datastreamScript = (datastream, attempt) -> forgetting;
    }

    IngestResult result = ingest(1, ContentPath.UPLOAD, packaging);

    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.count(Count.FAILED_REQUESTS)).isEqualTo(1);
    assertThat(fedora.uploads).hasSize(packaging == Packaging.FOXML ? 4 : 3);
    assertThat(events.get(events.size() - 1).outcome()).isEqualTo(Outcome.INGESTED);
  }

  @Test
  void whatWasUploadedCountsAsContentOfItsUpload() throws IOException {
    ingest(1, ContentPath.UPLOAD, Packaging.FOXML);

    assertThat(events)
        .extracting(RequestEvent::operation, RequestEvent::outcome, RequestEvent::contentBytes)
        .containsExactly(
            tuple(Operation.UPLOAD, Outcome.DONE, 9L),
            tuple(Operation.UPLOAD, Outcome.DONE, 10L),
            tuple(Operation.INGEST, Outcome.INGESTED, 0L));
  }

  @Test
  void anUploadWhoseAnswerWasLostIsSentAgain() throws IOException {
    fedora.uploadScript =
        (none, upload) -> upload == 1 ? ScriptedFedora.Exchange::reset : ScriptedFedora.UPLOAD;

    IngestResult result = ingest(1, ContentPath.UPLOAD, Packaging.FOXML);

    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(fedora.uploads).hasSize(3);
  }

  @Test
  void anObjectWhoseUploadIsRefusedFailsUnsent() throws IOException {
    fedora.uploadScript =
        (none, upload) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(201, "Welcome to the proxy");
            };

    IngestResult result = ingest(1, ContentPath.UPLOAD, Packaging.FOXML);

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(fedora.ingests).isEmpty();
    assertThat(result.failures().givenUp().get(0).message())
        .isEqualTo(
            "Fedora answered 201, but with 'Welcome to the proxy' instead of the name of an"
                + " upload: another server may have answered.");
  }

  @ParameterizedTest
  @EnumSource
  void contentThatFedoraMayNotFetchIsAClearFailureOfTheObject(Packaging packaging)
      throws IOException {
    ScriptedFedora.Script refusing =
        exchange -> {
          exchange.readBody();
          exchange.answer(500, "");
        };
    if (packaging == Packaging.FOXML) {
      fedora.script = (pid, attempt) -> refusing;
    } else {
      fedora.datastreamScript = (datastream, attempt) -> refusing;
    }

    IngestResult result = ingest(1, ContentPath.URL, packaging);

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .matches(
            "500 without a message; see Fedora's log\\. Fedora did not fetch FULLTEXT from"
                + " http://127\\.0\\.0\\.1:[0-9]+/objects/0/FULLTEXT; check for a policy, a proxy"
                + " or a firewall that blocks it \\(given up after 3 attempts\\)");
  }

  @Test
  void namesContentThatCannotBeGenerated() throws IOException {
    dataset = new Broken();
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              String foxml = exchange.readBody();
              String url = foxml.replaceAll("(?s).*REF=\"([^\"]*)\".*", "$1");
              assertThat(get(url)).isEqualTo(500);
              exchange.answer(500, "");
            };

    IngestResult result = ingest(1, ContentPath.URL, Packaging.FOXML);

    assertThat(result.failures().givenUp().get(0).message())
        .contains(
            ". Fedora could not fetch FULLTEXT: The dataset could not produce this object:"
                + " the disk is gone");
  }

  @Test
  void contentThatCannotBeReadForItsDigestFailsTheObjectAlone() throws IOException {
    dataset = new Broken();
    ContentOptions options =
        ContentOptions.of(
            ContentPath.IN_REQUEST, Packaging.DATASTREAMS, ChecksumChoice.named("SHA-256"));
    try (FedoraClient client = client();
        ContentDelivery delivery = ContentDelivery.open(options, dataset)) {
      IngestResult result =
          new IngestDriver(
                  client, dataset, options(2).withContent(delivery), RequestSink.NONE, events::add)
              .run();

      assertThat(result.count(Count.FAILED)).isEqualTo(2);
      assertThat(result.failures().givenUp().get(0).message())
          .isEqualTo("The dataset could not produce this object: the disk is gone");
      assertThat(fedora.objects()).isZero();
    }
  }

  @Test
  void theDigestIsStatedWhereADatastreamIsAdded() throws IOException {
    ContentOptions options =
        ContentOptions.of(ContentPath.EXTERNAL, Packaging.DATASTREAMS, ChecksumChoice.named("MD5"));
    try (FedoraClient client = client();
        ContentDelivery delivery = ContentDelivery.open(options, dataset)) {
      new IngestDriver(
              client, dataset, options(1).withContent(delivery), RequestSink.NONE, events::add)
          .run();

      assertThat(fedora.datastreams.get(0).path)
          .contains("?controlGroup=E&")
          // md5sum of 'text of 0'
          .contains("&checksumType=MD5&checksum=6a9907fde0b42c891183a5e5405d7af6")
          .endsWith("%2Fobjects%2F0%2FFULLTEXT");
    }
  }

  /** Whose content cannot be read. */
  private static final class Broken extends TinyDataset {
    @Override
    public ComposedObject object(long index) {
      ComposedObject whole = super.object(index);
      ContentStream text = whole.content().get(0);
      ContentStream gone =
          new ContentStream() {
            @Override
            public String id() {
              return text.id();
            }

            @Override
            public String label() {
              return text.label();
            }

            @Override
            public String mediaType() {
              return text.mediaType();
            }

            @Override
            public long sizeBytes() {
              return text.sizeBytes();
            }

            @Override
            public InputStream open() throws IOException {
              throw new IOException("the disk is gone");
            }
          };
      return new ComposedObject(
          whole.pid(), whole.label(), List.of(gone), whole.dublinCore(), whole.relationships());
    }
  }

  private static int get(String url) throws IOException {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private IngestResult ingest(long objects, ContentPath path, Packaging packaging)
      throws IOException {
    try (FedoraClient client = client();
        ContentDelivery delivery = delivery(path, packaging)) {
      return new IngestDriver(
              client,
              dataset,
              options(objects).withContent(delivery),
              RequestSink.NONE,
              events::add)
          .run();
    }
  }

  private ContentDelivery delivery(ContentPath path, Packaging packaging) throws IOException {
    return ContentDelivery.open(ContentOptions.of(path, packaging, ChecksumChoice.NONE), dataset);
  }

  private static IngestOptions options(long objects) {
    return IngestOptions.of(objects, 1).withRetry(QUICK);
  }

  private FedoraClient client() {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(1));
  }
}
