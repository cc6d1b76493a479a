package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.ExpectedTriples;
import org.fedometer.driver.IngestResult.EndStatus;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraMessagesTest;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedFedora.Exchange;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ingests while Fedora or the network misbehaves. */
@Timeout(30)
class IngestFaultsTest {

  private static final RetryPolicy QUICK =
      new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofMillis(600));

  /** Allows a busy machine more time until Fedora is back. */
  private static final RetryPolicy LONG_OUTAGE = QUICK.withOutageLimit(Duration.ofSeconds(20));

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
  void sendsEachObjectOnceWithATraceAndTheSessionCookie() throws IOException {
    IngestResult result = ingest(200, 4);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.INGESTED)).isEqualTo(200);
    assertThat(result.count(Count.SENT)).isEqualTo(200);
    assertThat(result.count(Count.RETRIED)).isZero();
    assertThat(result.latency().count()).isEqualTo(200);
    assertThat(result.count(Count.EXPECTED_TRIPLES))
        .isEqualTo(objects(200).mapToLong(ExpectedTriples::of).sum());
    assertThat(events).hasSize(200);

    assertThat(fedora.maxConcurrentLogins).hasValue(1);
    assertThat(fedora.logins).hasValue(4);
    assertThat(fedora.ingests).hasSize(200);
    Set<String> traces = new TreeSet<>();
    Set<String> cookies = new TreeSet<>();
    for (Exchange ingest : fedora.ingests) {
      Map<String, String> headers = ingest.headers;
      traces.add(headers.get("traceparent"));
      cookies.add(headers.get("Cookie"));
      assertThat(headers.get("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
      assertThat(headers.get("Transfer-Encoding")).isEqualTo("chunked");
      assertThat(headers.get("Content-Type")).isEqualTo("text/xml");
      assertThat(headers.get("Authorization")).isEqualTo("Basic ZmVkb3JhQWRtaW46c2VjcmV0");
      assertThat(ingest.path).endsWith("?format=info%3Afedora%2Ffedora-system%3AFOXML-1.1");
    }
    assertThat(traces).hasSize(200);
    assertThat(cookies).hasSize(4).allMatch(cookie -> cookie.matches("JSESSIONID=[1-4]"));
    assertThat(events).extracting(RequestEvent::traceparent).containsAll(traces);
  }

  @Test
  void anErrorThatPassesIsRetriedAndCounted() throws IOException {
    List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              bodies.add(exchange.readBody());
              if (attempt == 1) {
                exchange.answer(500, "");
              } else {
                exchange.store();
                exchange.answer(201, pid);
              }
            };

    IngestResult result = ingest(1, 1);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.SENT)).isEqualTo(2);
    assertThat(result.count(Count.RETRIED)).isEqualTo(1);
    assertThat(result.count(Count.FAILED_REQUESTS)).isEqualTo(1);
    assertThat(outcomes()).containsExactly(Outcome.RETRIED, Outcome.INGESTED);
    assertThat(result.failures().requests().get(0).message())
        .startsWith("500 without a message; see Fedora's log");
    assertThat(bodies.get(0)).isEqualTo(bodies.get(1)).contains("PID=\"tiny:0\"");
  }

  @Test
  void anErrorThatStaysFailsTheObjectAfterTheAllowedAttempts() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:3") ? exchange -> drop(exchange, 500, "") : ScriptedFedora.INGEST;

    IngestResult result = ingest(10, 2);

    assertThat(result.endStatus()).isEqualTo(EndStatus.FINISHED);
    assertThat(result.complete()).isFalse();
    assertThat(result.count(Count.INGESTED)).isEqualTo(9);
    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().notIngested()).containsExactly(3L);
    assertThat(fedora.attempts("tiny:3")).isEqualTo(3);
    assertThat(result.failures().givenUp().get(0).message())
        .endsWith("(given up after 3 attempts)");
  }

  @Test
  void failsOnADuplicatePid() throws IOException {
    fedora.has(1, Instant.parse("2020-01-01T00:00:00Z"));

    IngestResult result = ingest(3, 1);

    assertThat(result.count(Count.INGESTED)).isEqualTo(2);
    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(fedora.attempts("tiny:1")).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .startsWith(
            "Fedora already has an object tiny:1, last changed 2020-01-01T00:00:00Z; it was"
                + " left unchanged");
  }

  @Test
  void anObjectStoredBeforeTheAnswerWasLostIsFoundAndNotSentAgain() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.store();
              exchange.reset();
            };

    IngestResult result = ingest(5, 2);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.FOUND_COMPLETE)).isEqualTo(5);
    assertThat(fedora.ingests).hasSize(5);
    assertThat(result.latency().count()).isZero();
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.status()).isZero();
              assertThat(event.message())
                  .startsWith("No answer: ")
                  .endsWith("The object is in Fedora with all its content.");
            });
  }

  @Test
  void aLostResponseForAnOlderObjectIsAFailure() throws IOException {
    fedora.has(0, Instant.parse("2020-01-01T00:00:00Z"));
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.reset();
            };

    IngestResult result = ingest(1, 1);

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .startsWith("Fedora already has an object");
  }

  @Test
  void aConnectionCutInTheMiddleOfTheObjectIsSentAgain() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1
                ? exchange -> {
                  exchange.readSome(100);
                  exchange.reset();
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(10, 2);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.FOUND_COMPLETE)).isZero();
    assertThat(result.count(Count.RETRIED)).isEqualTo(10);
    assertThat(fedora.objects()).isEqualTo(10);
  }

  @Test
  void anObjectThatArrivedIncompleteIsNeverCounted() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              ComposedObject whole = dataset.object(0);
              fedora.replace(
                  new ComposedObject(
                      pid,
                      whole.label(),
                      List.of(whole.content().get(0), TinyDataset.text("IMAGE", "something else")),
                      whole.dublinCore(),
                      whole.relationships()));
              exchange.reset();
            };

    IngestResult result = ingest(1, 1);

    assertThat(result.count(Count.INGESTED)).isZero();
    assertThat(result.failures().givenUp().get(0).message())
        .contains("incomplete and was purged: tiny:0/IMAGE holds 14 bytes with SHA-256");
    assertThat(fedora.has("tiny:0")).isFalse();
  }

  @Test
  void queriesTheObjectAfterAResponseTimeout() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1
                ? exchange -> {
                  exchange.readBody();
                  exchange.store();
                  exchange.hang();
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(2, 2, QUICK, Duration.ofMillis(250));

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.FOUND_COMPLETE)).isEqualTo(2);
    assertThat(result.failures().requests().get(0).message())
        .startsWith("No answer: no answer in time");
  }

  @Test
  void anAnswerThatIsNotHttpCountsAsLost() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1
                ? exchange -> {
                  exchange.readBody();
                  exchange.raw(
                      "\u0000\u0001garbage\r\n\r\n"
                          .repeat(50)
                          .getBytes(StandardCharsets.ISO_8859_1));
                  exchange.end();
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(3, 1);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.RETRIED)).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("answersThatAreNone")
  void queriesTheObjectAfterATruncatedResponse(String answer) throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.store();
              exchange.raw(answer.getBytes(StandardCharsets.ISO_8859_1));
              exchange.end();
            };

    IngestResult result = ingest(3, 1);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.FOUND_COMPLETE)).isEqualTo(3);
    assertThat(fedora.ingests).hasSize(3);
  }

  static List<String> answersThatAreNone() {
    return List.of(
        "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\ntiny:",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ntiny",
        "HTTP/1.1 201 Created\r\n" + "X-More: and more\r\n".repeat(300),
        "HTTP/1.1 201 Created\r\nX-More: " + "x".repeat(70_000),
        "HTTP/1.1 201 Created\r\nContent-Length: -1\r\n\r\n");
  }

  @Test
  void anEndlessErrorPageIsCutAndItsConnectionDropped() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(500, "text/html", "x".repeat(3_000_000), Map.of());
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(1, 1);

    assertThat(result.complete()).isTrue();
    assertThat(result.failures().requests().get(0).message()).hasSizeLessThanOrEqualTo(500);
  }

  @Test
  void anAnswerThatNamesAnotherObjectFails() throws IOException {
    fedora.script = (pid, attempt) -> exchange -> drop(exchange, 201, "changeme:7");

    IngestResult result = ingest(1, 1);

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .contains("'changeme:7' instead of the name of the object tiny:0");
  }

  @Test
  void anObjectThatDoesNotValidateFailsAtOnceWithFedorasWords() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? exchange -> drop(exchange, 400, FedoraMessagesTest.VALIDATION)
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(2, 1);

    assertThat(fedora.attempts("tiny:0")).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .isEqualTo(
            "400, Schematron validation failed:org.xml.sax.SAXParseException; lineNumber: 1;"
                + " columnNumber: 1; Content is not allowed in prolog.");
  }

  @Test
  void anOverloadedFedoraIsLeftAloneForAsLongAsItAsks() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(503, "text/plain", "too busy", Map.of("Retry-After", "1"));
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(1, 1);

    assertThat(result.complete()).isTrue();
    assertThat(events.get(1).startNanos() - events.get(0).startNanos())
        .isGreaterThan(1_000_000_000L);
    assertThat(events.get(0).message()).isEqualTo("503, too busy");
  }

  @Test
  void aSessionThatRanOutLogsInAgain() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1 ? exchange -> drop(exchange, 401, "Fedora: 401 ") : ScriptedFedora.INGEST;

    IngestResult result = ingest(4, 2);

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.RETRIED)).isEqualTo(4);
    assertThat(fedora.maxConcurrentLogins).hasValue(1);
  }

  @Test
  void aPolicyThatForbidsIsNotMistakenForALogin() throws IOException {
    fedora.script = (pid, attempt) -> exchange -> drop(exchange, 401, "Denied by policy");

    IngestResult result = ingest(1, 1);

    assertThat(result.failures().givenUp().get(0).message())
        .startsWith("401, Denied by policy. The login itself is accepted");
    assertThat(fedora.attempts("tiny:0")).isEqualTo(2);
  }

  @Test
  void stopsIfTheLoginIsRefusedDuringTheRun() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (fedora.objects() < 5) {
                ScriptedFedora.INGEST.serve(exchange);
              } else {
                fedora.acceptsLogin = false;
                drop(exchange, 401, "Fedora: 401 ");
              }
            };

    IngestResult result = ingest(1000, 2);

    assertThat(result.endStatus()).isEqualTo(EndStatus.GAVE_UP);
    assertThat(result.reason())
        .contains("refuses the login of fedoraAdmin (401)")
        .contains("touch server/config/fedora-users.xml");
    assertThat(result.count(Count.FAILED)).isZero();
    assertThat(result.count(Count.ABANDONED)).isBetween(1L, 2L);
    assertThat(fedora.ingests).hasSizeLessThan(20);
  }

  @Test
  void aLoginRefusedAtTheStartIsThrown() {
    fedora.acceptsLogin = false;

    assertThatThrownBy(() -> ingest(10, 2))
        .isInstanceOf(LoginRefusedException.class)
        .hasMessageContaining("refuses the login of fedoraAdmin");
    assertThat(fedora.ingests).isEmpty();
  }

  @Test
  void rejectsAnAddressWithoutFedoraPath() {
    fedora.answers = path -> new ScriptedFedora.Reply(404, "text/html", "no such page");

    assertThatThrownBy(() -> ingest(10, 2))
        .isInstanceOf(FedoraRefusalException.class)
        .hasMessageContaining("There is no Fedora at " + fedora.url())
        .hasMessageContaining("as in http://127.0.0.1:8080/fedora");
  }

  @Test
  void aFedoraThatIsGoneForGoodEndsTheRunOnce() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (pid.equals("tiny:5")) {
                exchange.readSome(10);
                fedora.kill();
              } else {
                ScriptedFedora.INGEST.serve(exchange);
              }
            };

    IngestResult result = ingest(1_000_000, 4);

    assertThat(result.endStatus()).isEqualTo(EndStatus.GAVE_UP);
    assertThat(result.reason())
        .matches("Fedora has been out of reach for [0-9.]+ s \\(No connection to .*")
        .contains("longer than the maximum of 0.6 s");
    assertThat(result.count(Count.FAILED)).isZero();
    assertThat(result.count(Count.ABANDONED)).isBetween(1L, 4L);
    assertThat(result.endIndex())
        .isEqualTo(result.count(Count.INGESTED) + result.count(Count.ABANDONED));
    assertThat(result.interruptions().outages()).hasSize(1);
  }

  @Test
  void aFedoraThatComesBackIsLoggedInToOneByOneAndTheLoadGoesOn() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (pid.equals("tiny:20") && attempt == 1) {
                exchange.readSome(10);
                fedora.kill();
              } else {
                ScriptedFedora.INGEST.serve(exchange);
              }
            };
    IngestResult result;
    try (FedoraClient client = client(4, Duration.ofSeconds(5))) {
      result =
          new IngestDriver(
                  client,
                  dataset,
                  options(100, 4, LONG_OUTAGE),
                  RequestSink.NONE,
                  restartingFedora())
              .run();
    }

    assertThat(result.complete()).as(result.toString()).isTrue();
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(fedora.objects()).isEqualTo(100);
    assertThat(fedora.maxConcurrentLogins).hasValue(1);
    assertThat(fedora.logins.get()).isGreaterThanOrEqualTo(8);
  }

  /** While Tomcat loads the webapp anew, or a proxy does not reach Fedora. */
  @ParameterizedTest
  @ValueSource(ints = {404, 502, 503, 504})
  void waitsWhileAProxyAnswersAndLogsInAgain(int status) throws IOException {
    AtomicBoolean away = new AtomicBoolean();
    AtomicInteger loginsBefore = new AtomicInteger();
    fedora.interceptor =
        exchange -> {
          if (!away.get()) {
            return false;
          }
          drop(exchange, status, "<html>HTTP Status</html>");
          return true;
        };
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:20") && attempt == 1
                ? exchange -> {
                  away.set(true);
                  drop(exchange, status, "<html>HTTP Status</html>");
                }
                : ScriptedFedora.INGEST;
    RequestListener listener =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {
            events.add(event);
          }

          @Override
          public void onOutage(String reason) {
            loginsBefore.set(fedora.logins.get());
            away.set(false);
          }
        };

    IngestResult result;
    try (FedoraClient client = client(4, Duration.ofSeconds(5))) {
      result =
          new IngestDriver(
                  client, dataset, options(100, 4, LONG_OUTAGE), RequestSink.NONE, listener)
              .run();
    }

    assertThat(result.complete()).as(result.toString()).isTrue();
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(result.interruptions().outages().get(0).reason())
        .startsWith(Integer.toString(status));
    assertThat(fedora.objects()).isEqualTo(100);
    assertThat(fedora.attempts("tiny:20")).isEqualTo(2);
    assertThat(fedora.maxConcurrentLogins).hasValue(1);
    assertThat(fedora.logins.get() - loginsBefore.get())
        .as("each worker shows who it is to the Fedora that has come")
        .isGreaterThanOrEqualTo(4);
  }

  @Test
  void aWebappThatLetsUsersInAndHasNoObjectsAnyMoreIsWaitedFor() throws IOException {
    AtomicBoolean dying = new AtomicBoolean();
    AtomicInteger questions = new AtomicInteger();
    fedora.script =
        (pid, attempt) -> {
          if (pid.equals("tiny:10") && attempt == 1) {
            dying.set(true);
          }
          return dying.get() ? exchange -> drop(exchange, 404, "") : ScriptedFedora.INGEST;
        };
    fedora.answers =
        path -> {
          boolean search = path.startsWith("/objects?");
          if (dying.get() && search && questions.incrementAndGet() == 4) {
            dying.set(false);
          }
          return dying.get() && search ? new ScriptedFedora.Reply(404, "text/plain", "") : null;
        };

    IngestResult result = ingest(30, 2, LONG_OUTAGE, Duration.ofSeconds(5));

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(fedora.objects()).isEqualTo(30);
  }

  @Test
  void acceptsA404OfFedoraAtOnceAndOthersTheSecondTime() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange ->
                drop(
                    exchange,
                    404,
                    pid.equals("tiny:0") ? "no such content" : "Object not found: " + pid);

    RetryPolicy impatient = QUICK.withOutageLimit(Duration.ZERO);
    IngestResult result = ingest(2, 1, impatient, Duration.ofSeconds(5));

    assertThat(fedora.attempts("tiny:0")).isEqualTo(2);
    assertThat(fedora.attempts("tiny:1")).isEqualTo(1);
    assertThat(result.failures().givenUp())
        .extracting(RequestEvent::message)
        .containsExactly("404, no such content", "404, Object not found: tiny:1");
    assertThat(result.interruptions().outages()).isEmpty();
  }

  @Test
  void retriesAnIngestThatAProxyAnsweredWith404() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1
                ? exchange -> drop(exchange, 404, "<html>No service was found.</html>")
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(3, 1);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(result.interruptions().outages()).isEmpty();
  }

  @Test
  void aFedoraWhoseDatabaseIsGoneIsWaitedForAndSentNothingMeanwhile() throws IOException {
    AtomicBoolean gone = new AtomicBoolean();
    AtomicInteger questions = new AtomicInteger();
    fedora.script =
        (pid, attempt) -> {
          if (pid.equals("tiny:10") && attempt == 1) {
            gone.set(true);
          }
          return gone.get() ? exchange -> drop(exchange, 500, "") : ScriptedFedora.INGEST;
        };
    fedora.answers =
        path -> {
          boolean search = path.startsWith("/objects?");
          if (gone.get() && search && questions.incrementAndGet() == 4) {
            gone.set(false);
            fedora.forgetSessions(); // it was started again as well
          }
          return gone.get() && search ? new ScriptedFedora.Reply(500, "text/plain", "") : null;
        };

    IngestResult result = ingest(100, 4, LONG_OUTAGE, Duration.ofSeconds(5));

    assertThat(result.complete()).as("%s", result.failures().givenUp()).isTrue();
    assertThat(result.count(Count.INGESTED)).isEqualTo(100);
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(result.interruptions().outages().get(0).reason())
        .startsWith("500")
        .contains("its database may be gone");
    assertThat(fedora.ingests.size()).as("one more of each worker").isBetween(101, 104);
  }

  @Test
  void reportsAnUnrecoverableObjectAfterAKill() throws IOException {
    // As 3.8.1 leaves it: registered, so that it is refused, and without a file.
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:3")
                ? exchange -> {
                  drop(exchange, 500, "");
                  if (attempt == 1) {
                    fedora.kill();
                  }
                }
                : ScriptedFedora.INGEST;
    IngestResult result;
    try (FedoraClient client = client(1, Duration.ofSeconds(5))) {
      result =
          new IngestDriver(
                  client,
                  dataset,
                  options(10, 1, LONG_OUTAGE),
                  RequestSink.NONE,
                  restartingFedora())
              .run();
    }

    assertThat(result.count(Count.INGESTED)).isEqualTo(9);
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3", "fedometer stack repair");
    assertThat(fedora.attempts("tiny:3")).as("one more than after no outage").isEqualTo(4);
  }

  @Test
  void anOutageThatLastsStillWhenTheRunIsStoppedIsOneUntilThen() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (pid.equals("tiny:20")) {
                exchange.readSome(10);
                fedora.kill();
              } else {
                ScriptedFedora.INGEST.serve(exchange);
              }
            };
    AtomicReference<IngestDriver> driver = new AtomicReference<>();
    List<Outage> unended = Collections.synchronizedList(new ArrayList<>());
    RequestListener listener =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {}

          @Override
          public void onOutage(String reason) {
            driver.get().stop();
          }

          @Override
          public void onOutageAtEnd(Outage outage) {
            unended.add(outage);
          }
        };

    IngestResult result;
    try (FedoraClient client = client(4, Duration.ofSeconds(5))) {
      driver.set(
          new IngestDriver(
              client,
              dataset,
              options(1000, 4, QUICK.withOutageLimit(Duration.ofSeconds(60))),
              RequestSink.NONE,
              listener));
      result = driver.get().run();
    }

    assertThat(result.endStatus()).isEqualTo(EndStatus.STOPPED);
    assertThat(result.interruptions().outages()).hasSize(1).isEqualTo(unended);
    Outage outage = result.interruptions().outages().get(0);
    assertThat(outage.endNanos() - outage.startNanos()).isPositive();
    assertThat(result.endNanos() - outage.endNanos()).isNotNegative();
  }

  @Test
  void aRunThatIsWrongFromTheStartStopsWithTheAnswer() throws IOException {
    fedora.script =
        (pid, attempt) -> exchange -> drop(exchange, 415, "cannot take " + pid + " at 12:31:07");

    IngestResult result = ingest(1_000_000, 4);

    assertThat(result.endStatus()).isEqualTo(EndStatus.GAVE_UP);
    assertThat(result.reason())
        .startsWith("The first 20 objects all failed in the same way")
        .contains("415, cannot take tiny:");
    assertThat(result.count(Count.FAILED)).isBetween(20L, 24L);
    assertThat(result.failures().givenUp()).hasSize(20);
  }

  @Test
  void aRunThatSucceededOnceGoesOnWhateverFailsLater() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? ScriptedFedora.INGEST
                : exchange -> drop(exchange, 415, "cannot take it");

    IngestResult result = ingest(60, 1);

    assertThat(result.endStatus()).isEqualTo(EndStatus.FINISHED);
    assertThat(result.count(Count.FAILED)).isEqualTo(59);
    assertThat(result.failures().givenUp()).hasSize(20);
    assertThat(result.failures().notIngested()).hasSize(59);
  }

  @Test
  void aStopLetsRequestsUnderWayFinish() throws Exception {
    CountDownLatch underWay = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              underWay.countDown();
              await(goOn);
              ScriptedFedora.INGEST.serve(exchange);
            };
    try (FedoraClient client = client(2, Duration.ofSeconds(10))) {
      IngestDriver driver =
          new IngestDriver(client, dataset, options(100, 2, QUICK), RequestSink.NONE, events::add);
      CompletableFuture<IngestResult> run = run(driver);
      assertThat(underWay.await(10, TimeUnit.SECONDS)).isTrue();

      driver.stop();
      goOn.countDown();
      IngestResult result = run.get(10, TimeUnit.SECONDS);

      assertThat(result.endStatus()).isEqualTo(EndStatus.STOPPED);
      assertThat(result.reason()).isEqualTo("Stopped on request.");
      assertThat(result.count(Count.INGESTED)).isEqualTo(2);
      assertThat(result.count(Count.ABANDONED)).isZero();
      assertThat(result.endIndex()).isEqualTo(2);
    }
  }

  @Test
  void aStopDoesNotWaitForeverForARequestThatHangs() throws Exception {
    CountDownLatch underWay = new CountDownLatch(2);
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              underWay.countDown();
              exchange.hang();
            };
    IngestOptions options =
        new IngestOptions(
            0,
            100,
            2,
            new Load.ClosedModel(),
            QUICK,
            Duration.ofMillis(50),
            EndConditions.AT_THE_LAST_OBJECT,
            Shard.WHOLE,
            Long.MAX_VALUE,
            true,
            Duration.ZERO,
            ContentDelivery.inRequest(),
            null,
            0);
    try (FedoraClient client = client(2, Duration.ofMinutes(1))) {
      IngestDriver driver =
          new IngestDriver(client, dataset, options, RequestSink.NONE, events::add);
      CompletableFuture<IngestResult> run = run(driver);
      assertThat(underWay.await(10, TimeUnit.SECONDS)).isTrue();

      driver.stop();
      IngestResult result = run.get(10, TimeUnit.SECONDS);

      assertThat(result.endStatus()).isEqualTo(EndStatus.STOPPED);
      assertThat(result.count(Count.ABANDONED)).isEqualTo(2);
      assertThat(result.failures().notIngested()).containsExactlyInAnyOrder(0L, 1L);
      assertThat(outcomes()).containsOnly(Outcome.ABANDONED);
    }
  }

  @Test
  void cutsARequestAtItsTimeout() throws IOException {
    fedora.script =
        (pid, attempt) ->
            attempt == 1 ? Exchange::hang : ScriptedFedora.INGEST; // does not even read the body
    FedoraClientOptions options =
        new FedoraClientOptions(
            2, Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofSeconds(1));
    try (FedoraClient client = FedoraClient.open(login(), options)) {
      IngestResult result =
          new IngestDriver(client, dataset, options(1, 1, QUICK), RequestSink.NONE, events::add)
              .run();

      assertThat(result.complete()).isTrue();
      assertThat(result.count(Count.RETRIED)).isEqualTo(1);
    }
  }

  @Test
  void anObjectTheDatasetCannotProduceFailsWithoutBlamingFedora() throws IOException {
    TinyDataset broken =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            ComposedObject whole = super.object(index);
            return index != 1
                ? whole
                : new ComposedObject(
                    whole.pid(),
                    whole.label(),
                    List.of(TinyDataset.unreadable(whole.content().get(0))),
                    whole.dublinCore(),
                    whole.relationships());
          }
        };
    try (FedoraClient client = client(1, Duration.ofSeconds(5))) {
      IngestResult result =
          new IngestDriver(client, broken, options(3, 1, QUICK), RequestSink.NONE, events::add)
              .run();

      assertThat(result.count(Count.INGESTED)).isEqualTo(2);
      assertThat(result.failures().givenUp().get(0).message())
          .isEqualTo("The dataset could not produce this object: the disk is gone");
      assertThat(result.failures().givenUp().get(0).attempt()).isEqualTo(1);
    }
  }

  @Test
  void ofAnErrorInTheMidstOfAnObjectFedoraMakesNothingAndTheObjectIsOpen() throws IOException {
    TinyDataset broken =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            ComposedObject whole = super.object(index);
            return new ComposedObject(
                whole.pid(),
                whole.label(),
                List.of(
                    TinyDataset.from(
                        whole.content().get(0),
                        () -> {
                          throw new StackOverflowError("too deep");
                        })),
                whole.dublinCore(),
                whole.relationships());
          }
        };
    try (FedoraClient client = client(1, Duration.ofSeconds(5))) {
      IngestResult result =
          new IngestDriver(client, broken, options(3, 1, QUICK), RequestSink.NONE, events::add)
              .run();

      assertThat(result.endStatus()).isEqualTo(EndStatus.GAVE_UP);
      assertThat(result.reason()).contains("driver itself failed", "too deep");
      assertThat(result.count(Count.ABANDONED)).isEqualTo(1);
      assertThat(result.failures().notIngested()).containsExactly(0L);
      assertThat(fedora.objects()).isZero();
    }
  }

  @Test
  void everyAttemptReachesTheSinkAndASinkThatFailsEndsTheRun() throws IOException {
    List<RequestEvent> taken = Collections.synchronizedList(new ArrayList<>());
    RequestSink sink =
        event -> {
          if (taken.size() >= 10) {
            throw new IOException("the collector is gone");
          }
          taken.add(event);
        };
    try (FedoraClient client = client(1, Duration.ofSeconds(5))) {
      IngestResult result =
          new IngestDriver(client, dataset, options(1000, 1, QUICK), sink, RequestListener.NONE)
              .run();

      assertThat(result.endStatus()).isEqualTo(EndStatus.GAVE_UP);
      assertThat(result.reason()).endsWith("the collector is gone");
      assertThat(result.count(Count.INGESTED)).isEqualTo(11);
      assertThat(result.count(Count.ABANDONED)).isZero();
      assertThat(taken).hasSize(10);
    }
  }

  @Test
  void progressCountsUpToTheEnd() throws IOException {
    try (FedoraClient client = client(2, Duration.ofSeconds(5))) {
      IngestDriver driver =
          new IngestDriver(
              client, dataset, options(50, 2, QUICK), RequestSink.NONE, RequestListener.NONE);
      assertThat(driver.progress().objects().done()).isZero();
      assertThat(driver.progress().etaSeconds()).isEqualTo(-1);

      driver.run();

      IngestProgress progress = driver.progress();
      assertThat(progress.objects().total()).isEqualTo(50);
      assertThat(progress.objects().done()).isEqualTo(50);
      assertThat(progress.etaSeconds()).isZero();
      assertThat(progress.rates().objectsPerSecond()).isPositive();
      assertThat(progress.latency().p50Millis())
          .isPositive()
          .isLessThanOrEqualTo(progress.latency().p99Millis());
      assertThat(progress.objects().contentBytes())
          .isEqualTo(objects(50).mapToLong(IngestFaultsTest::size).sum());
      assertThatThrownBy(driver::run).isInstanceOf(IllegalStateException.class);
    }
  }

  private Stream<ComposedObject> objects(int objects) {
    return IntStream.range(0, objects).mapToObj(dataset::object);
  }

  private static long size(ComposedObject object) {
    return object.content().stream().mapToLong(ContentStream::sizeBytes).sum();
  }

  private static void drop(Exchange exchange, int status, String body) throws IOException {
    exchange.readBody();
    exchange.answer(status, body.startsWith("<") ? "text/xml" : "text/plain", body, Map.of());
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static CompletableFuture<IngestResult> run(IngestDriver driver) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return driver.run();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private List<Outcome> outcomes() {
    synchronized (events) {
      return events.stream().map(RequestEvent::outcome).toList();
    }
  }

  private IngestResult ingest(long objects, int workers) throws IOException {
    return ingest(objects, workers, QUICK, Duration.ofSeconds(5));
  }

  private IngestResult ingest(long objects, int workers, RetryPolicy retry, Duration timeout)
      throws IOException {
    try (FedoraClient client = client(workers, timeout)) {
      return new IngestDriver(
              client, dataset, options(objects, workers, retry), RequestSink.NONE, events::add)
          .run();
    }
  }

  private static IngestOptions options(long objects, int workers, RetryPolicy retry) {
    return IngestOptions.of(objects, workers).withRetry(retry);
  }

  /** Brings Fedora back when the driver has noticed that it is away. */
  private RequestListener restartingFedora() {
    return new RequestListener() {
      @Override
      public void onRequest(RequestEvent event) {
        events.add(event);
      }

      @Override
      public void onOutage(String reason) {
        fedora.restart();
      }
    };
  }

  private FedoraClient client(int workers, Duration responseTimeout) {
    return FedoraClient.open(
        login(),
        new FedoraClientOptions(
            workers + 1, Duration.ofSeconds(5), responseTimeout, Duration.ofMinutes(1)));
  }

  private FedoraLogin login() {
    return new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray());
  }
}
