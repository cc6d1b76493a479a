package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedFedora.Exchange;
import org.fedometer.driver.fedora.ScriptedFedora.Reply;
import org.fedometer.driver.fedora.ScriptedOperations;
import org.fedometer.driver.journal.Acknowledged;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.mix.Mix;
import org.fedometer.driver.mix.MixOptions;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.wire.TestDelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Responses that the driver trusts, retries and reports while Fedora's webapp, its database or all
 * of it is away.
 */
@Timeout(30)
class FedoraAwayTest {

  private static final RetryPolicy QUICK =
      new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));

  private static final Reply NO_SERVICE =
      new Reply(404, "text/html", "<html><body>No service was found.</body></html>");

  private final List<RequestEvent> events = Collections.synchronizedList(new ArrayList<>());

  /** True while the webapp shuts down: it accepts logins but has no objects. */
  private final AtomicBoolean dying = new AtomicBoolean();

  /** How many more searches fail for want of a database. */
  private final AtomicInteger searchesToFail = new AtomicInteger();

  private Dataset dataset = new TinyDataset();
  private ScriptedFedora fedora;

  @BeforeEach
  void start() throws IOException {
    begin(new TinyDataset());
  }

  private void begin(Dataset other) throws IOException {
    dataset = other;
    fedora = new ScriptedFedora(dataset);
    fedora.answers = this::awayAnswer;
  }

  /** Null if nothing is away. */
  private Reply awayAnswer(String path) {
    if (dying.get() && path.startsWith("/objects")) {
      return NO_SERVICE;
    }
    return path.startsWith("/objects?") && withoutDatabase() ? new Reply(500, "", "") : null;
  }

  /** Returns whether the next search fails. */
  private boolean withoutDatabase() {
    return searchesToFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @AfterEach
  void stop() {
    fedora.close();
  }

  @Test
  void anObjectThatEndsEachFedoraBehindAProxyIsGivenUp() throws IOException {
    AtomicBoolean away = new AtomicBoolean();
    fedora.interceptor =
        exchange -> {
          boolean inItsPlace = away.get();
          if (inItsPlace) {
            drop(exchange, 502, "<html>Bad Gateway</html>");
          }
          return inItsPlace;
        };
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? exchange -> {
                  away.set(true);
                  drop(exchange, 502, "<html>Bad Gateway</html>");
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(5, 1, whenAway(() -> away.set(false)));

    assertThat(result.count(Count.INGESTED)).isEqualTo(4);
    assertThat(result.failures().notIngested()).containsExactly(0L);
    assertThat(fedora.attempts("tiny:0")).as("one more than after no outage").isEqualTo(4);
    assertThat(result.interruptions().outages()).hasSize(4);
  }

  /** As Fedora 3.8.1 does from when its files are gone until Tomcat sees it. */
  @Test
  void aWebappWhoseFilesAreExchangedIsWaitedForThoughItLetsUsersInAndSearches() throws IOException {
    AtomicInteger notFound = new AtomicInteger();
    fedora.script =
        (pid, attempt) ->
            !pid.equals("tiny:0") && notFound.incrementAndGet() <= 40
                ? exchange -> drop(exchange, 404, "")
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(20, 4, events::add);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.objects()).isEqualTo(20);
    assertThat(result.interruptions().outages()).isEmpty();
  }

  /** An ingest that was under way when the files went is answered after those that came later. */
  @Test
  void aLateAnswerOfTheWebappThatIsGoneDoesNotMakeItBeThere() throws IOException {
    CountDownLatch refused = new CountDownLatch(2);
    AtomicInteger notFound = new AtomicInteger();
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (pid.equals("tiny:0")) {
                awaitQuietly(refused);
                ScriptedFedora.INGEST.serve(exchange);
              } else if (notFound.incrementAndGet() <= 40) {
                drop(exchange, 404, "");
                refused.countDown();
              } else {
                ScriptedFedora.INGEST.serve(exchange);
              }
            };

    IngestResult result = ingest(20, 2, events::add);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.objects()).isEqualTo(20);
  }

  @Test
  void givesUpAnObjectThatOnlyTheProxyRejects() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? exchange -> drop(exchange, 404, "<html>Not with us</html>")
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(200, 2, events::add);

    assertThat(result.failures().notIngested()).containsExactly(0L);
    assertThat(result.count(Count.INGESTED)).isEqualTo(199);
    assertThat(fedora.attempts("tiny:0")).isLessThan(100);
  }

  @Test
  void doesNotReportARefusalAfterAProxyErrorAsUnrecoverable() throws IOException {
    AtomicBoolean away = new AtomicBoolean();
    fedora.interceptor =
        exchange -> {
          boolean inItsPlace = away.get();
          if (inItsPlace) {
            exchange.answer(503, "");
          }
          return inItsPlace;
        };
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              away.set(attempt == 1);
              drop(exchange, attempt == 1 ? 503 : 500, "");
            };

    IngestResult result = ingest(1, 1, whenAway(() -> away.set(false)));

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(result.unrecoverable()).isEmpty();
  }

  @Test
  void whereTheDatabaseAloneCameBackNothingIsSentAgainThatFedoraMayHaveLocked() throws IOException {
    Set<String> locked = Collections.synchronizedSet(new TreeSet<>());
    fedora.script = lockedOnce(locked);

    IngestResult result = ingest(100, 4, events::add);

    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(locked).contains("tiny:10");
    assertThat(locked).allSatisfy(pid -> assertThat(fedora.attempts(pid)).isEqualTo(1));
    assertThat(result.count(Count.FAILED)).isEqualTo(locked.size());
    assertThat(result.count(Count.INGESTED)).isEqualTo(100 - locked.size());
    assertThat(result.unrecoverable())
        .hasSize(locked.size())
        .allSatisfy(
            sentence -> assertThat(sentence).contains("Restart Fedora").doesNotContain("repair"));
  }

  /** Answers 500 for want of a database from the tenth object on, until it is back. */
  private ScriptedFedora.Choice lockedOnce(Set<String> locked) {
    return (pid, attempt) ->
        exchange -> {
          if (pid.equals("tiny:10") && attempt == 1) {
            searchesToFail.set(2);
          }
          if (searchesToFail.get() > 0) {
            locked.add(pid);
            drop(exchange, 500, "");
          } else {
            ScriptedFedora.INGEST.serve(exchange);
          }
        };
  }

  private enum Sign {
    SESSIONS_GONE,
    WEBAPP_AWAY,
    LOGIN_HELD_UP
  }

  @ParameterizedTest
  @EnumSource
  void whereFedoraWasStartedAgainAsWellAllComesIn(Sign sign) throws IOException {
    Set<String> locked = Collections.synchronizedSet(new TreeSet<>());
    fedora.script = lockedOnce(locked);
    fedora.answers =
        path -> {
          if (searchesToFail.get() == 1) {
            if (sign == Sign.SESSIONS_GONE) {
              fedora.forgetSessions();
            } else if (sign == Sign.LOGIN_HELD_UP && path.equals("/user")) {
              TestDelay.sleep(Duration.ofMillis(1_100));
            } else if (sign == Sign.WEBAPP_AWAY && path.startsWith("/objects?")) {
              withoutDatabase();
              return NO_SERVICE;
            }
          }
          return awayAnswer(path);
        };

    IngestResult result = ingest(100, 4, events::add);

    assertThat(result.complete()).as("%s", result.failures().givenUp()).isTrue();
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(locked).contains("tiny:10");
    assertThat(result.unrecoverable()).isEmpty();
  }

  @Test
  void doesNotReportAKilledFedoraAsALostDatabase() throws IOException {
    AtomicBoolean answered = new AtomicBoolean();
    fedora.interceptor =
        exchange -> {
          // The first that is asked of Fedora to see whether it is there.
          boolean kills = exchange.path.equals("/user") && answered.getAndSet(false);
          if (kills) {
            fedora.kill();
            exchange.end();
          }
          return kills;
        };
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:3") && attempt == 1
                ? exchange -> {
                  answered.set(true);
                  drop(exchange, 500, "");
                }
                : ScriptedFedora.INGEST;

    IngestResult result = ingest(10, 1, whenAway(fedora::restart));

    assertThat(result.complete()).as("%s", result.failures().givenUp()).isTrue();
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(result.interruptions().outages().get(0).reason())
        .startsWith("500")
        .containsPattern("No connection to|Could not log in")
        .doesNotContain("database");
  }

  @Test
  void aSearchWithoutResponseTimesOut() throws IOException {
    fedora.interceptor =
        exchange -> {
          boolean search = exchange.path.startsWith("/objects?");
          if (search) {
            exchange.hang();
          }
          return search;
        };
    try (FedoraClient client = client(1);
        FedoraSession session = new FedoraSession(client, Duration.ofMillis(200))) {
      session.login();

      assertThatThrownBy(session::probeSearch)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no answer in time");
    }
  }

  @Test
  void ignoresADyingWebappForUnconfirmedObjects() throws IOException {
    AtomicBoolean once = new AtomicBoolean();
    fedora.answers =
        path -> {
          if (path.equals("/objects/tiny:1?format=xml") && !once.getAndSet(true)) {
            dying.set(true);
          }
          return awayAnswer(path);
        };

    IngestResult result = recheck(3, whenAway(() -> dying.set(false)));

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.ingests).isEmpty();
    assertThat(fedora.purged).isEmpty();
    assertThat(result.interruptions().outages()).hasSize(1);
  }

  @Test
  void checksAnUnconfirmedObjectAgainWithTheDatabase() throws IOException {
    searchesToFail.set(4);

    IngestResult result = recheck(1, events::add);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(result.unrecoverable()).isEmpty();
    assertThat(result.interruptions().outages()).hasSize(1);
    assertThat(result.interruptions().outages().get(0).reason())
        .contains("its database may be gone");
  }

  @Test
  void anObjectThatADyingWebappDoesNotKnowIsStillThereForItsDatastreams() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            attempt == 1
                ? exchange -> {
                  dying.set(true);
                  exchange.reset();
                }
                : ScriptedFedora.ADD_DATASTREAM;

    IngestResult result = ingestWithDatastreams(whenAway(() -> dying.set(false)));

    assertThat(result.failures().givenUp()).isEmpty();
    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.interruptions().outages()).isNotEmpty();
    assertThat(fedora.version("tiny:0", "FULLTEXT")).isZero();
  }

  @Test
  void aDatastreamThatIsRefusedForWantOfADatabaseIsSentAgainWithIt() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              if (attempt == 1) {
                searchesToFail.set(2);
              }
              if (searchesToFail.get() > 0) {
                drop(exchange, 500, "");
              } else {
                ScriptedFedora.ADD_DATASTREAM.serve(exchange);
              }
            };

    IngestResult result = ingestWithDatastreams(events::add);

    assertThat(result.failures().givenUp()).isEmpty();
    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.interruptions().outages()).hasSize(2);
    assertThat(fedora.datastreams).hasSize(4);
  }

  @Test
  void doesNotCountAPurgeAsDoneBecauseOfADyingWebapp() throws IOException {
    ScriptedOperations operations = new ScriptedOperations(fedora);
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("DELETE") && number == 1) {
            dying.set(true);
            exchange.reset();
            return true;
          }
          return isAway(exchange);
        };

    IngestResult result = mix("purge=1", 1, 10, whenAway(() -> dying.set(false)));

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(operations.count("DELETE")).isEqualTo(2);
    assertThat(fedora.objects()).isEqualTo(9);
  }

  @Test
  void aChangeThatIsRefusedForWantOfADatabaseIsSentAgainWithIt() throws IOException {
    ScriptedOperations operations = new ScriptedOperations(fedora);
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("PUT") && number == 1) {
            searchesToFail.set(2);
          }
          if (exchange.method.equals("PUT") && searchesToFail.get() > 0) {
            drop(exchange, 500, "");
            return true;
          }
          return isAway(exchange);
        };

    IngestResult result = mix("modify-datastream=1", 1, 10, events::add);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(operations.count("PUT")).isEqualTo(2);
    assertThat(events).extracting(RequestEvent::outcome).contains(Outcome.RETRIED, Outcome.DONE);
    assertThat(result.interruptions().outages()).hasSize(1);
  }

  @Test
  void aStatementThatIsRefusedForWantOfADatabaseIsSentAgainWithIt() throws IOException {
    fedora.close();
    begin(new TinyFamily());
    fedora.additionScript =
        (statement, attempt) ->
            exchange -> {
              if (attempt == 1) {
                searchesToFail.set(2);
              }
              if (searchesToFail.get() > 0) {
                exchange.answer(500, "");
              } else {
                ScriptedFedora.ADD.serve(exchange);
              }
            };

    IngestResult result = ingest(2, 1, events::add);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.statements).hasSize(1);
    assertThat(result.interruptions().outages()).hasSize(1);
  }

  /** Its answer is lost each time, and Fedora is there again each time. */
  @Test
  void aChangeThatEndsEachFedoraThatItIsSentToIsGivenUp() throws IOException {
    ScriptedOperations operations = new ScriptedOperations(fedora);
    operations.fault =
        (exchange, number) -> {
          if (exchange.method.equals("PUT")) {
            dying.set(true);
            exchange.reset();
            return true;
          }
          return isAway(exchange);
        };

    IngestResult result = mix("modify-datastream=1", 1, 10, whenAway(() -> dying.set(false)));

    assertThat(result.failedOperations()).isEqualTo(1);
    assertThat(operations.count("PUT")).as("one more than after no outage").isEqualTo(4);
    assertThat(result.interruptions().outages()).hasSize(4);
  }

  @Test
  void aStatementThatEndsEachFedoraThatItIsSentToIsGivenUp() throws IOException {
    fedora.close();
    begin(new TinyFamily());
    fedora.additionScript =
        (statement, attempt) ->
            exchange -> {
              dying.set(true);
              exchange.reset();
            };

    IngestResult result = ingest(2, 1, whenAway(() -> dying.set(false)));

    assertThat(result.count(Count.INGESTED)).isEqualTo(2);
    assertThat(result.count(Count.FAILED_ADDITIONS)).isEqualTo(1);
    assertThat(fedora.additions).as("one more than after no outage").hasSize(4);
    assertThat(result.interruptions().outages()).hasSize(4);
  }

  @Test
  void aDatastreamThatEndsEachFedoraThatItIsSentToIsGivenUp() throws IOException {
    fedora.datastreamScript =
        (datastream, attempt) ->
            exchange -> {
              dying.set(true);
              exchange.reset();
            };

    IngestResult result = ingestWithDatastreams(whenAway(() -> dying.set(false)));

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(fedora.datastreams).as("one more than after no outage").hasSize(4);
    assertThat(result.interruptions().outages()).hasSize(4);
  }

  @Test
  void aNotFoundOfFedoraNeedsNoProbe() throws IOException {
    ScriptedOperations operations = new ScriptedOperations(fedora);
    operations.fault =
        (exchange, number) -> {
          boolean of4 = exchange.path.startsWith("/objects/tiny:4");
          if (exchange.method.equals("GET") && of4) {
            exchange.answer(404, "Object not found in low-level storage: tiny:4");
          }
          return exchange.method.equals("GET") && of4;
        };

    IngestResult result = mix("get-object=1", 60, 10, events::add);

    assertThat(result.failedOperations()).isPositive();
    assertThat(operations.count("GET /objects?")).isZero();
    assertThat(operations.count("GET /user")).as("one of each driver").isEqualTo(2);
  }

  private boolean isAway(Exchange exchange) throws IOException {
    Reply reply = exchange.method.equals("GET") ? awayAnswer(exchange.path) : null;
    if (reply != null) {
      exchange.answer(reply.status(), reply.type(), reply.body(), Map.of());
    }
    return reply != null;
  }

  private static void drop(Exchange exchange, int status, String body) throws IOException {
    exchange.readBody();
    exchange.answer(status, body.startsWith("<") ? "text/html" : "text/plain", body, Map.of());
  }

  /** Does something when the driver has noticed that Fedora is away. */
  private RequestListener whenAway(Runnable noticed) {
    return new RequestListener() {
      @Override
      public void onRequest(RequestEvent event) {
        events.add(event);
      }

      @Override
      public void onOutage(String reason) {
        noticed.run();
      }
    };
  }

  private IngestResult ingest(long objects, int workers, RequestListener listener)
      throws IOException {
    try (FedoraClient client = client(workers)) {
      IngestOptions options = IngestOptions.of(objects, workers).withRetry(QUICK);
      return new IngestDriver(client, dataset, options, RequestSink.NONE, listener).run();
    }
  }

  /** Adds one object's datastreams one by one. */
  private IngestResult ingestWithDatastreams(RequestListener listener) throws IOException {
    ContentOptions content =
        ContentOptions.of(ContentPath.IN_REQUEST, Packaging.DATASTREAMS, ChecksumChoice.NONE);
    try (FedoraClient client = client(1);
        ContentDelivery delivery = ContentDelivery.open(content, dataset)) {
      IngestOptions options = IngestOptions.of(1, 1).withRetry(QUICK).withContent(delivery);
      return new IngestDriver(client, dataset, options, RequestSink.NONE, listener).run();
    }
  }

  /** All objects are there, and are looked at. */
  private IngestResult recheck(long objects, RequestListener listener) throws IOException {
    try (Journal journal = Journal.inMemory(0);
        FedoraClient client = client(1)) {
      for (long i = 0; i < objects; i++) {
        journal.begun(i);
        long triples = dataset.object(i).triples();
        journal.acknowledged(new Acknowledged(i, System.nanoTime(), 1000, triples, 30, 0, 0));
        fedora.has(i, Instant.now());
      }
      journal.allUnconfirmed();
      IngestOptions options = IngestOptions.of(objects, 1).withRetry(QUICK);
      return new IngestDriver(client, dataset, options, journal, RequestSink.NONE, listener).run();
    }
  }

  /** By one worker, after an ingest of so many objects. */
  private IngestResult mix(String mix, long steps, long preload, RequestListener listener)
      throws IOException {
    try (FedoraClient client = client(1)) {
      IngestOptions options = IngestOptions.of(preload, 1).withRetry(QUICK);
      IngestResult before =
          new IngestDriver(client, dataset, options, RequestSink.NONE, RequestListener.NONE).run();
      MixOptions mixed = MixOptions.of(Mix.parse(mix), 1, preload, 0, 0, steps);
      IngestOptions asked = IngestOptions.of(steps, 1).withRetry(QUICK).withMix(mixed);
      return new IngestDriver(client, dataset, asked, RequestSink.NONE, listener)
          .run()
          .after(before);
    }
  }

  private FedoraClient client(int workers) {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(workers));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
