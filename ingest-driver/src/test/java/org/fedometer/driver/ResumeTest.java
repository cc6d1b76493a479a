package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Relationship;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.journal.Acknowledged;
import org.fedometer.driver.journal.ClockStep;
import org.fedometer.driver.journal.FirstDriver;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Work;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.Shard;
import org.fedometer.wire.TestDelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Resuming with the journal of a killed driver. */
class ResumeTest {

  private static final RetryPolicy QUICK =
      new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(20));

  @TempDir private Path folder;
  private TinyDataset dataset = new TinyDataset();
  private ScriptedFedora fedora;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(dataset);
  }

  @AfterEach
  void end() {
    fedora.close();
  }

  @Test
  void sendsPendingObjectsOnlyIfTheyAreMissing() throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < 4; i++) {
            journal.begun(i);
          }
          acknowledge(journal, 0);
        });
    fedora.has(0, Instant.now());
    fedora.has(2, Instant.now());

    IngestResult result = resume(10);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(result.count(Count.INGESTED)).isEqualTo(10);
    assertThat(result.count(Count.FOUND_COMPLETE)).isEqualTo(1);
    assertThat(result.count(Count.EXPECTED_TRIPLES)).isEqualTo(10L * dataset.object(0).triples());
    assertThat(fedora.ingests)
        .extracting(ScriptedFedora.Exchange::pid)
        .doesNotContain("tiny:0", "tiny:2");
    assertThat(fedora.objects()).isEqualTo(10);
    assertThat(state().acknowledged()).hasToString("0..9");
    assertThat(state().pending().isEmpty()).isTrue();
  }

  @Test
  void aHalfMadeObjectIsPurgedAndIngestedAgain() throws Exception {
    killedAfter(journal -> journal.begun(0));
    ComposedObject whole = dataset.object(0);
    fedora.replace(
        new ComposedObject(
            whole.pid(),
            whole.label(),
            List.of(whole.content().get(0)),
            whole.dublinCore(),
            whole.relationships()));

    IngestResult result = resume(3);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(result.count(Count.HALF_MADE)).isEqualTo(1);
    assertThat(fedora.purged).containsExactly("tiny:0");
    assertThat(fedora.objects()).isEqualTo(3);
  }

  @Test
  void afterAPurgeNothingIsSentAgainBeforeFedoraHasFlushed() throws Exception {
    killedAfter(
        journal -> {
          acknowledged(journal, 1);
          journal.begun(0);
        });
    fedora.has(1, Instant.now());
    fedora.replace(
        new ComposedObject("tiny:0", "half", List.of(), dataset.object(0).dublinCore(), List.of()));
    fedora.answers =
        path ->
            path.contains("flush=true")
                ? new ScriptedFedora.Reply(500, "text/plain", "The disk is full.")
                : null;

    IngestResult result = resume(2);

    assertThat(fedora.purged).containsExactly("tiny:0");
    assertThat(fedora.ingests).isEmpty();
    assertThat(result.failures().givenUp().get(0).message())
        .contains("cannot flush", "The disk is full.");
    assertThat(result.unrecoverable().get(0)).contains("tiny:0", "cannot flush");
    assertThat(state().failed()).hasToString("0");
    assertThat(state().unconfirmed()).as("was in the flush that failed").hasToString("1");
  }

  @Test
  void anObjectThatFedoraWillNotLetGoIsReportedAndTheRestIsIngested() throws Exception {
    killedAfter(journal -> journal.begun(0));
    fedora.replace(
        new ComposedObject("tiny:0", "half", List.of(), dataset.object(0).dublinCore(), List.of()));
    fedora.purgeAnswers = pid -> new ScriptedFedora.Reply(500, "text/plain", "no");

    IngestResult result = resume(3);

    assertThat(result.complete()).isFalse();
    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message()).contains("tiny:0");
    assertThat(result.count(Count.INGESTED)).isEqualTo(2);
    assertThat(state().failed()).hasToString("0");
  }

  @Test
  void whatHadFailedBeforeCountsAsFailedWhereItsTurnDoesNotCome() throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < 40; i++) {
            journal.begun(i);
          }
          acknowledge(journal, 0);
          for (int i = 2; i < 40; i++) {
            journal.failed(i);
          }
        });
    fedora.has(0, Instant.now());

    IngestResult result;
    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown())) {
      IngestOptions options =
          IngestOptions.of(1_000, 2)
              .withRetry(QUICK)
              .withEndConditions(
                  EndConditions.AT_THE_LAST_OBJECT.withMaxDuration(Duration.ofNanos(1)));
      result = ingest(journal, options, RequestListener.NONE);
    }

    assertThat(result.count(Count.REQUESTED)).isGreaterThanOrEqualTo(40);
    assertThat(
            result.count(Count.INGESTED)
                + result.count(Count.FAILED)
                + result.count(Count.ABANDONED))
        .isEqualTo(result.count(Count.REQUESTED));
    assertThat(result.count(Count.FAILED))
        .as("%s", result)
        .isEqualTo(state().failed().size())
        .isPositive();
    assertThat(result.failures().notIngested())
        .hasSize((int) (result.count(Count.FAILED) + result.count(Count.ABANDONED)));
  }

  @Test
  void whereAllIsInNothingIsSent() throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < 3; i++) {
            journal.begun(i);
            acknowledge(journal, i);
          }
        });

    IngestResult result = resume(3);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(result.count(Count.INGESTED)).isEqualTo(3);
    assertThat(result.count(Count.EXPECTED_TRIPLES)).isEqualTo(3L * dataset.object(0).triples());
    assertThat(fedora.ingests).isEmpty();
  }

  @Test
  void whatFailedBeforeIsTriedAgain() throws Exception {
    killedAfter(
        journal -> {
          journal.begun(0);
          journal.failed(0);
        });

    IngestResult result = resume(3);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(state().failed().isEmpty()).isTrue();
  }

  @Test
  void anObjectThatWasIngestedAndLostItsTriplesIsIngestedAgain() throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < 5; i++) {
            journal.begun(i);
            acknowledge(journal, i);
          }
          journal.allUnconfirmed();
        });
    for (int i = 0; i < 5; i++) {
      fedora.has(i, Instant.now());
    }
    fedora.withoutTriples.add("tiny:3");

    IngestResult result = resume(5);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).containsExactly("tiny:3");
    assertThat(fedora.ingests).extracting(ScriptedFedora.Exchange::pid).containsExactly("tiny:3");
    assertThat(fedora.flushes.get()).isPositive();
    assertThat(result.count(Count.EXPECTED_TRIPLES)).isEqualTo(5L * dataset.object(0).triples());
    assertThat(state().unconfirmed().isEmpty()).isTrue();
  }

  @Test
  void whenAnIngestHasEndedItsLastObjectIsInTheJournalsFile() throws Exception {
    Path journals = folder.resolve("journal");
    try (Journal journal = Journal.create(journals, 0);
        FedoraClient client = client()) {
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(3, 1).withRetry(QUICK),
                  journal,
                  RequestSink.NONE,
                  RequestListener.NONE)
              .run();

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(Journal.read(journals).acknowledged()).hasToString("0..2");
    }
  }

  @Test
  void readsTheTriplesOfManyUnconfirmedObjectsInOnePass() throws Exception {
    Map<String, LongAdder> asked = countedQueries(null);
    manyUnconfirmed(300);
    fedora.withoutTriples.add("tiny:250");

    IngestResult result = resume(300);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).containsExactly("tiny:250");
    assertThat(asked.get("pass").sum()).isEqualTo(1);
    assertThat(asked.get("one").sum())
        .as("objects that were asked for one by one")
        .isBetween(
            (long) UnconfirmedTriples.SAMPLE_QUERIES, UnconfirmedTriples.SAMPLE_QUERIES + 10L);
  }

  @Test
  void queriesEachUnconfirmedObjectIfAPassFails() throws Exception {
    Map<String, LongAdder> asked =
        countedQueries(new ScriptedFedora.Reply(500, "text/plain", "too much"));
    manyUnconfirmed(60);
    fedora.withoutTriples.add("tiny:50");

    IngestResult result = resume(60);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).containsExactly("tiny:50");
    assertThat(asked.get("pass").sum()).isEqualTo(1);
    assertThat(asked.get("one").sum()).isEqualTo(60);
  }

  @Test
  void aPassThatFailsWhileFedoraIsAwayIsRepeated() throws Exception {
    Map<String, LongAdder> asked = countedQueries(null);
    ScriptedFedora.Answers counted = fedora.answers;
    fedora.answers =
        path -> {
          ScriptedFedora.Reply reply = counted.to(path);
          return asked.get("pass").sum() == 1 && path.contains("query=*+*+*")
              ? new ScriptedFedora.Reply(503, "text/plain", "starting")
              : reply;
        };
    manyUnconfirmed(300);
    fedora.withoutTriples.add("tiny:250");

    IngestResult result = resume(300);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).containsExactly("tiny:250");
    assertThat(asked.get("pass").sum()).isEqualTo(2);
    assertThat(asked.get("one").sum())
        .as("objects that were asked for one by one")
        .isBetween(
            (long) UnconfirmedTriples.SAMPLE_QUERIES, UnconfirmedTriples.SAMPLE_QUERIES + 10L);
  }

  @Test
  void aPassThatFailsTwiceIsNotTriedByEachWorker() throws Exception {
    Map<String, LongAdder> asked =
        countedQueries(new ScriptedFedora.Reply(504, "text/plain", "took too long"));
    manyUnconfirmed(120);

    IngestResult result;
    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown())) {
      result = ingest(journal, IngestOptions.of(120, 4).withRetry(QUICK), RequestListener.NONE);
    }

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(asked.get("pass").sum()).isEqualTo(2);
    assertThat(asked.get("one").sum()).isEqualTo(120);
  }

  private void manyUnconfirmed(int objects) throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < objects; i++) {
            journal.begun(i);
            acknowledge(journal, i);
          }
          journal.allUnconfirmed();
        });
    for (int i = 0; i < objects; i++) {
      fedora.has(i, Instant.now());
    }
  }

  /** By what is asked: for all triples, or for those about one object. */
  private Map<String, LongAdder> countedQueries(ScriptedFedora.Reply toPass) {
    Map<String, LongAdder> asked = Map.of("pass", new LongAdder(), "one", new LongAdder());
    fedora.answers =
        path -> {
          if (path.contains("format=N-Triples")) {
            boolean pass = path.contains("query=*+*+*");
            asked.get(pass ? "pass" : "one").increment();
            return pass ? toPass : null;
          }
          return null;
        };
    return asked;
  }

  @Test
  void reportsPurgedObjectsThatAreNotReingestedWithoutAFlush() throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < 5; i++) {
            journal.begun(i);
            acknowledge(journal, i);
          }
          journal.allUnconfirmed();
        });
    for (int i = 0; i < 5; i++) {
      fedora.has(i, Instant.now());
    }
    fedora.withoutTriples.add("tiny:3");
    AtomicInteger flushes = new AtomicInteger();
    fedora.answers =
        path ->
            path.contains("flush=true") && flushes.incrementAndGet() > 1
                ? new ScriptedFedora.Reply(500, "text/plain", "The disk is full.")
                : null;

    IngestResult result = resume(5);

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(result.reason())
        .contains("not ingested again", "The disk is full.", "Resume the load to ingest them");
    assertThat(result.count(Count.INGESTED)).isEqualTo(4);
    assertThat(result.count(Count.ABANDONED)).isEqualTo(1);
    assertThat(result.failures().notIngested()).containsExactly(3L);
    assertThat(state().pending()).hasToString("3");
  }

  @Test
  void whatWasPurgedIsOpenAlsoWhereTheJournalCannotBeWrittenFromThenOn() throws Exception {
    fiveUnconfirmed();
    fedora.withoutTriples.add("tiny:3");
    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown())) {
      fedora.purgeAnswers =
          pid -> {
            close(journal);
            return null;
          };

      IngestResult result = ingest(journal, 5, RequestListener.NONE);

      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
      assertThat(result.reason()).contains("journal could not be written");
      assertThat(result.count(Count.INGESTED)).isEqualTo(4);
      assertThat(result.failures().notIngested()).containsExactly(3L);
      assertThat(state().pending()).hasToString("3");
    }
  }

  private static void close(Journal journal) {
    try {
      journal.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void reportsAnUnconfirmedObjectThatCannotBePurged() throws Exception {
    fiveUnconfirmed();
    fedora.withoutTriples.add("tiny:3");
    fedora.purgeAnswers = pid -> new ScriptedFedora.Reply(500, "text/plain", "no");

    IngestResult result = resume(5);

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.reason()).isNull();
    assertThat(result.complete()).isFalse();
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3 is incomplete. Could not purge tiny:3");
    assertThat(result.failures().notIngested()).containsExactly(3L);
    assertThat(state().failed()).hasToString("3");
  }

  @Test
  @Timeout(60)
  void aPurgeThatIsNeverAnsweredIsGivenUpAndNamed() throws Exception {
    fiveUnconfirmed();
    fedora.withoutTriples.add("tiny:3");
    AtomicInteger purges = new AtomicInteger();
    fedora.interceptor =
        exchange -> {
          if (!exchange.method.equals("DELETE")) {
            return false;
          }
          purges.incrementAndGet();
          exchange.reset();
          return true;
        };

    IngestResult result = resume(5);

    assertThat(purges).hasValue(QUICK.maxAttempts());
    assertThat(result.complete()).isFalse();
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3 is incomplete", "unknown whether Fedora has purged it");
    assertThat(result.failures().notIngested()).containsExactly(3L);
    assertThat(state().failed()).hasToString("3");

    fedora.interceptor = exchange -> false;
    assertThat(resume(5).complete()).isTrue();
  }

  @Test
  void anObjectWhoseAnswerWasLostIsLookedAtInFullBeforeItCounts() throws Exception {
    killedAfter(
        journal -> {
          journal.begun(0);
          journal.begun(1);
        });
    fedora.has(0, Instant.now());
    fedora.has(1, Instant.now());
    fedora.withoutTriples.add("tiny:0");
    fedora.withoutFields.add("tiny:1");

    IngestResult result = resume(2);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).containsExactlyInAnyOrder("tiny:0", "tiny:1");
    assertThat(fedora.objects()).isEqualTo(2);
    assertThat(fedora.withoutTriples).isEmpty();
    assertThat(fedora.withoutFields).isEmpty();
  }

  @Test
  void reportsARegisteredButMissingObjectAsUnrecoverable() throws Exception {
    killedAfter(journal -> journal.begun(0));
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(500, "");
                }
                : ScriptedFedora.INGEST;

    IngestResult result = resume(2);

    assertThat(result.complete()).isFalse();
    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.unrecoverable()).hasSize(1);
    assertThat(result.unrecoverable().get(0)).contains("tiny:0", "repair");
  }

  @Test
  void reportsAnUnreadableObjectAsUnrecoverable() throws Exception {
    killedAfter(journal -> journal.begun(0));
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:0")
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(500, "");
                }
                : ScriptedFedora.INGEST;
    fedora.answers =
        path ->
            path.startsWith("/objects/tiny:0")
                ? new ScriptedFedora.Reply(500, "text/plain", "")
                : null;

    IngestResult result = resume(2);

    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.unrecoverable()).hasSize(1);
    assertThat(result.unrecoverable().get(0)).contains("tiny:0", "cannot read", "repair");
  }

  @Test
  void sendsAnObjectThatWasNotBegunBeforeTheKill() throws Exception {
    killedAfter(
        journal -> {
          journal.begun(0);
          acknowledge(journal, 0);
          journal.begun(2);
          acknowledge(journal, 2);
        });
    fedora.has(0, Instant.now());
    fedora.has(2, Instant.now());

    IngestResult result = resume(4);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.ingests)
        .extracting(ScriptedFedora.Exchange::pid)
        .containsExactlyInAnyOrder("tiny:1", "tiny:3");
  }

  @Test
  void keepsForeignObjectsOlderThanTheIngest() throws Exception {
    Instant began = Instant.now().minusSeconds(60);
    killedAfter(journal -> journal.begun(0));
    fedora.replace(theirs(0));
    fedora.has("tiny:0", began.minusSeconds(3600));

    IngestResult result = resumeOf(began);

    assertThat(fedora.purged).isEmpty();
    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .contains("already has an object tiny:0");
  }

  @Test
  void anObjectOfOursThatSeemsOlderAsTheClockWasSetBackCounts() throws Exception {
    Instant began = Instant.now();
    killedAfter(journal -> journal.begun(0));
    fedora.has(0, began.minusSeconds(3590));

    IngestResult result;
    try (Journal journal = Journal.resume(folder.resolve("journal"), setBackAnHourSince(began))) {
      result = ingest(journal, 2, RequestListener.NONE);
    }

    assertThat(result.failures().givenUp()).isEmpty();
    assertThat(result.count(Count.FOUND_COMPLETE)).isEqualTo(1);
    assertThat(fedora.purged).isEmpty();
  }

  @Test
  void keepsForeignObjectsOlderThanTheClockStep() throws Exception {
    Instant began = Instant.now();
    killedAfter(journal -> journal.begun(0));
    fedora.has(0, began.minusSeconds(3700));

    IngestResult result;
    try (Journal journal = Journal.resume(folder.resolve("journal"), setBackAnHourSince(began))) {
      result = ingest(journal, 2, RequestListener.NONE);
    }

    assertThat(result.failures().givenUp().get(0).message())
        .contains("already has an object tiny:0");
    assertThat(fedora.purged).isEmpty();
  }

  @Test
  void anObjectThatIsOlderThanTheIngestStaysThoughItWasChangedSince() throws Exception {
    Instant began = Instant.now().minusSeconds(60);
    killedAfter(journal -> journal.begun(0));
    fedora.replace(theirs(0));
    fedora.changed("tiny:0", began.minusSeconds(3600));

    IngestResult result = resumeOf(began);

    assertThat(fedora.purged).isEmpty();
    assertThat(fedora.object("tiny:0").label()).isEqualTo("theirs");
    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .contains("already has an object tiny:0");
  }

  @Test
  void anObjectThatTheJournalDoesNotKnowIsNotPurgedWhereItDiffers() throws Exception {
    Instant began = Instant.now().minusSeconds(60);
    killedAfter(journal -> journal.begun(0));
    fedora.replace(theirs(1));

    IngestResult result = resumeOf(began);

    assertThat(fedora.purged).isEmpty();
    assertThat(fedora.object("tiny:1").label()).isEqualTo("theirs");
    assertThat(result.count(Count.INGESTED)).isEqualTo(1);
    assertThat(result.failures().givenUp().get(0).message())
        .contains("already has an object tiny:1");
  }

  @Test
  void anObjectThatTheJournalLostWithThePowerIsComparedAndCounts() throws Exception {
    killedAfter(journal -> journal.begun(0));
    fedora.has(0, Instant.now());
    fedora.has(1, Instant.now());

    IngestResult result = resume(2);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).isEmpty();
  }

  @Test
  void anObjectThatWasAcknowledgedAndIsGoneIsIngestedAgain() throws Exception {
    killedAfter(
        journal -> {
          journal.begun(0);
          acknowledge(journal, 0);
          journal.allUnconfirmed();
        });

    IngestResult result = resume(1);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.has("tiny:0")).isTrue();
  }

  @Test
  void whatFedoraLostWhenItWasKilledIsFoundInTheSameRun() throws Exception {
    AtomicInteger sent = new AtomicInteger();
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (sent.incrementAndGet() == 20) {
                fedora.kill();
                fedora.withoutTriples.add("tiny:5");
              } else {
                ScriptedFedora.INGEST.serve(exchange);
              }
            };
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      IngestResult result = ingest(journal, 40, restartingFedora());

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(result.interruptions().outages()).isNotEmpty();
      assertThat(fedora.purged).contains("tiny:5");
      assertThat(fedora.withoutTriples).isEmpty();
      assertThat(fedora.objects()).isEqualTo(40);
      assertThat(journal.state().acknowledged()).hasToString("0..39");
      assertThat(journal.state().unconfirmed().isEmpty()).isTrue();
    }
  }

  @Test
  void driversOfOneRunLogInOneAfterTheOtherWhenFedoraIsBack() throws Exception {
    AtomicInteger sent = new AtomicInteger();
    AtomicLong knockedNanos = new AtomicLong();
    AtomicInteger loginsBefore = new AtomicInteger();
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              if (sent.incrementAndGet() == 5) {
                fedora.kill();
              } else {
                ScriptedFedora.INGEST.serve(exchange);
              }
            };
    fedora.answers =
        path -> {
          if (!path.equals("/describe")) {
            return null;
          }
          knockedNanos.set(System.nanoTime());
          loginsBefore.set(fedora.logins.get());
          return new ScriptedFedora.Reply(200, "text/html", "a repository");
        };
    AtomicLong backNanos = new AtomicLong();
    RequestListener restarting =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {
            // of no interest
          }

          @Override
          public void onOutage(String reason) {
            restartingFedora().onOutage(reason);
          }

          @Override
          public void onRecovery(Outage over) {
            backNanos.set(System.nanoTime());
          }
        };
    try (FedoraClient client = client();
        Journal journal = Journal.create(folder.resolve("journal"), 0, new Shard(2, 2).stride())) {
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(40, 1).withRetry(QUICK).withShard(new Shard(2, 2)),
                  journal,
                  RequestSink.NONE,
                  restarting)
              .run();

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(backNanos.get() - knockedNanos.get())
          .as("the first driver has its turn before")
          .isGreaterThanOrEqualTo(Duration.ofSeconds(2).toNanos());
      assertThat(loginsBefore).as("no worker logs in before its turn").hasValue(1);
    }
  }

  @Test
  void aFedoraThatWasRestartedBetweenTwoRequestsIsNoticedByItsSessions() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    fedora.script = answeringWhatFollowsTinyFiveAfter(answered);
    RequestListener restarting =
        event -> {
          if (event.pid().equals("tiny:5") && answered.getCount() > 0) {
            fedora.withoutTriples.add("tiny:5");
            fedora.forgetSessions();
            answered.countDown();
          }
        };
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      IngestResult result = ingest(journal, 40, restarting);

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(result.interruptions().outages()).isEmpty();
      assertThat(fedora.purged).containsExactly("tiny:5");
      assertThat(fedora.withoutTriples).isEmpty();
    }
  }

  /** Its worker sends nothing after it, so that only the other one meets the new Fedora. */
  @Test
  void whatWasAnsweredBeforeARestartAndJournalledAfterItIsLookedAt() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(39);
    fedora.script = answeringWhatFollowsTinyFiveAfter(answered);
    RequestListener holding =
        event -> {
          if (!event.pid().equals("tiny:5")) {
            others.countDown();
          } else if (answered.getCount() > 0) {
            fedora.withoutTriples.add("tiny:5");
            fedora.forgetSessions();
            answered.countDown();
            awaitAll(others);
          }
        };
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      IngestResult result = ingest(journal, 40, holding);

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(fedora.purged).containsExactly("tiny:5");
    }
  }

  private static ScriptedFedora.Choice answeringWhatFollowsTinyFiveAfter(CountDownLatch latch) {
    return (pid, attempt) ->
        exchange -> {
          if (Integer.parseInt(pid.substring("tiny:".length())) > 5) {
            awaitAll(latch);
          }
          ScriptedFedora.INGEST.serve(exchange);
        };
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withoutACrashNothingIsLookedAtAgain() throws Exception {
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      IngestResult result = ingest(journal, 40, RequestListener.NONE);

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(fedora.flushes).hasValue(0);
    }
  }

  @Test
  void flushesAfterEverySoManyObjectsAndConfirmsThem() throws Exception {
    IngestOptions flushing = IngestOptions.of(43, 1).withRetry(QUICK).withFlushEvery(10);
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      IngestResult result = ingest(journal, flushing, RequestListener.NONE);

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(result.count(Count.INGESTED)).isEqualTo(43);
      assertThat(fedora.flushes).hasValue(4);
    }
    assertThat(state().acknowledged()).hasToString("0..42");
    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown())) {
      IngestOptions more = IngestOptions.of(60, 1).withRetry(QUICK).withFlushEvery(10);

      assertThat(ingest(journal, more, RequestListener.NONE).complete()).isTrue();
    }
    assertThat(fedora.objects()).isEqualTo(60);
  }

  @Test
  void objectsOfAFailedFlushAreChecked() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    fedora.answers =
        path ->
            path.contains("flush=true") && flushes.incrementAndGet() == 1
                ? new ScriptedFedora.Reply(500, "text/plain", "The disk is full.")
                : null;
    IngestOptions flushing = IngestOptions.of(10, 1).withRetry(QUICK).withFlushEvery(5);
    List<Long> checked = new ArrayList<>();
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      IngestResult result =
          ingest(
              journal,
              flushing,
              new RequestListener() {
                @Override
                public void onRequest(RequestEvent event) {
                  // of no interest
                }

                @Override
                public void onRecheck(long objects) {
                  checked.add(objects);
                }
              });

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(checked).containsExactly(5L);
    }
    assertThat(state().unconfirmed().isEmpty()).isTrue();
  }

  @Test
  void noFlushBeginsAfterAStop() throws Exception {
    IngestOptions flushing = IngestOptions.of(100, 1).withRetry(QUICK).withFlushEvery(5);
    try (Journal journal = Journal.create(folder.resolve("journal"), 0);
        FedoraClient client = client()) {
      IngestDriver driver =
          new IngestDriver(
              client, dataset, flushing, journal, RequestSink.NONE, RequestListener.NONE);
      fedora.script =
          (pid, attempt) ->
              exchange -> {
                if (pid.equals("tiny:9")) {
                  driver.stop();
                }
                ScriptedFedora.INGEST.serve(exchange);
              };

      IngestResult result = driver.run();

      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.STOPPED);
      assertThat(fedora.flushes).hasValue(1);
      assertThat(journal.state().acknowledged()).hasToString("0..9");
      assertThat(journal.state().unconfirmed().isEmpty()).isTrue();
    }
  }

  @Test
  void shardsShareTheObjectsAndMissNone() throws Exception {
    for (int number = 1; number <= 3; number++) {
      try (Journal journal = Journal.create(folder.resolve("journal-" + number), 0);
          FedoraClient client = client()) {
        IngestResult result =
            new IngestDriver(
                    client,
                    dataset,
                    IngestOptions.of(100, 4).withRetry(QUICK).withShard(new Shard(number, 3)),
                    journal,
                    RequestSink.NONE,
                    RequestListener.NONE)
                .run();
        assertThat(result.complete()).as("%s", result).isTrue();
        assertThat(result.count(Count.REQUESTED)).isEqualTo(number == 1 ? 34 : 33);
      }
    }
    assertThat(fedora.objects()).isEqualTo(100);
    assertThat(fedora.ingests).hasSize(100);
  }

  @Test
  void reportsAParentWithoutTriplesUntilItIsRepaired() throws Exception {
    dataset = new TinyFamily();
    fedora.close();
    fedora = new ScriptedFedora(dataset);
    killedAfter(
        journal -> {
          journal.begun(0);
          acknowledge(journal, 0);
          journal.unconfirmed(0);
        });
    fedora.has(0, Instant.now());
    fedora.withoutTriples.add("tiny:0");

    for (int driver = 0; driver < 2; driver++) {
      IngestResult result = resume(3);

      assertThat(result.complete()).isFalse();
      assertThat(result.unrecoverable())
          .singleElement()
          .asString()
          .contains("tiny:0", "other objects have added");
      assertThat(fedora.purged).isEmpty();
    }

    fedora.withoutTriples.clear();
    assertThat(resume(3).complete()).isTrue();
  }

  @Test
  void keepsAnUnconfirmedObjectThatCannotBeQueried() throws Exception {
    fiveUnconfirmed();
    AtomicInteger refusals = new AtomicInteger();
    fedora.answers =
        path ->
            path.startsWith("/objects/tiny:3?")
                    || path.startsWith("/objects/tiny:2?") && refusals.getAndIncrement() < 2
                ? new ScriptedFedora.Reply(500, "text/plain", "The pool is exhausted.")
                : null;

    IngestResult result = resume(5);

    assertThat(refusals).hasValueGreaterThan(2);
    assertThat(result.complete()).isFalse();
    assertThat(fedora.purged).isEmpty();
    assertThat(result.count(Count.INGESTED)).isEqualTo(5);
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3 could not be checked", "The pool is exhausted.");
    assertThat(state().unconfirmed()).hasToString("3");

    fedora.answers = path -> null;
    assertThat(resume(5).complete()).isTrue();
  }

  @Test
  void keepsAnUnconfirmedObjectWithUnreadableSource() throws Exception {
    fiveUnconfirmed();
    dataset =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            ComposedObject whole = super.object(index);
            return index == 3
                ? new ComposedObject(
                    whole.pid(),
                    whole.label(),
                    List.of(whole.content().get(0), TinyDataset.unreadable(whole.content().get(1))),
                    whole.dublinCore(),
                    whole.relationships())
                : whole;
          }
        };

    IngestResult result = resume(5);

    assertThat(fedora.purged).isEmpty();
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3 could not be checked", "the disk is gone");
    assertThat(state().unconfirmed()).hasToString("3");
  }

  @Test
  void endsTheIngestIfTheFileOfAnUnconfirmedObjectChanged() throws Exception {
    fiveUnconfirmed();
    dataset =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            if (index == 3) {
              throw new UncheckedIOException(new IOException("3.xml is not what it was"));
            }
            return super.object(index);
          }
        };

    IngestResult result = resume(5);

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(result.reason())
        .isEqualTo("The dataset tiny could not make object 3: 3.xml is not what it was");
    assertThat(state().unconfirmed().contains(3)).isTrue();
  }

  @Test
  void confirmsAnObjectWithForeignAdditions() throws Exception {
    fiveUnconfirmed();
    fedora.replace(withMore(dataset.object(3)));

    IngestResult result = resume(5);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).isEmpty();
    assertThat(state().unconfirmed().isEmpty()).isTrue();
  }

  @Test
  void doesNotPurgeAnIncompleteObjectWithForeignAdditions() throws Exception {
    fiveUnconfirmed();
    fedora.replace(withMore(dataset.object(3)));
    fedora.withoutTriples.add("tiny:3");

    IngestResult result = resume(5);

    assertThat(result.complete()).isFalse();
    assertThat(fedora.purged).isEmpty();
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3", "another client has changed it");
    assertThat(state().unconfirmed()).hasToString("3");
  }

  @Test
  void doesNotPurgeAnIncompleteObjectThatWasChangedLater() throws Exception {
    fiveUnconfirmed();
    fedora.has("tiny:3", Instant.now().plusSeconds(60));
    fedora.withoutTriples.add("tiny:3");

    IngestResult result = resume(5);

    assertThat(fedora.purged).isEmpty();
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:3", "another client has changed it");
  }

  private static ComposedObject withMore(ComposedObject whole) {
    List<Relationship> relationships = new ArrayList<>(whole.relationships());
    relationships.add(new Relationship("info:example/madeBy", "info:fedora/tiny:them", false));
    return new ComposedObject(
        whole.pid(), "Their label", whole.content(), whole.dublinCore(), relationships);
  }

  private void fiveUnconfirmed() throws IOException {
    killedAfter(
        journal -> {
          for (int i = 0; i < 5; i++) {
            journal.begun(i);
            acknowledge(journal, i);
          }
          journal.allUnconfirmed();
        });
    for (int i = 0; i < 5; i++) {
      fedora.has(i, Instant.now());
    }
  }

  @Test
  void aTripleThatAParentLostIsFoundByTheChildThatAddedIt() throws Exception {
    family(
        journal -> {
          acknowledged(journal, 0);
          journal.flushBegun();
          journal.flushConfirmed();
          acknowledged(journal, 1);
          acknowledged(journal, 2);
          journal.allUnconfirmed();
        });
    fedora.lostObjects.add("info:fedora/tiny:2");

    IngestResult result = resume(3);

    assertThat(result.complete()).isFalse();
    assertThat(fedora.purged).isEmpty();
    assertThat(result.unrecoverable())
        .singleElement()
        .asString()
        .contains("tiny:0 has lost the triple", "tiny:2 has added to it");
    assertThat(state().unconfirmed()).hasToString("2");
  }

  @Test
  void whatAnObjectAddedToItsParentCountsOnceWhenItIsIngestedAgain() throws Exception {
    family(
        journal -> {
          acknowledged(journal, 0);
          journal.flushBegun();
          journal.flushConfirmed();
          journal.begun(1);
          journal.acknowledged(
              new Acknowledged(
                  1, System.nanoTime(), 1000, dataset.object(1).triples() + 1, 30, 1, 0));
          journal.allUnconfirmed();
        });
    fedora.withoutTriples.add("tiny:1");

    IngestResult result = resume(2);

    assertThat(result.complete()).as("%s", result).isTrue();
    assertThat(fedora.purged).containsExactly("tiny:1");
    assertThat(result.count(Count.ADDITIONS)).isEqualTo(1);
    assertThat(state().totals().additions()).isEqualTo(1);
  }

  @Test
  void aParentLacksNothingForTheChildThatFailed() throws Exception {
    family(
        journal -> {
          acknowledged(journal, 0);
          journal.begun(1);
          journal.failed(1);
          journal.unconfirmed(0);
        });
    fedora.script = (pid, attempt) -> exchange -> exchange.answer(400, "no");

    IngestResult result = resume(2);

    assertThat(result.count(Count.FAILED)).isEqualTo(1);
    assertThat(result.unrecoverable()).isEmpty();
    assertThat(state().unconfirmed().isEmpty()).isTrue();
  }

  /** A parent and its first two children, all there. */
  private void family(Work work) throws IOException {
    dataset = new TinyFamily();
    fedora.close();
    fedora = new ScriptedFedora(dataset);
    killedAfter(work);
    for (int i = 0; i < 3; i++) {
      if (state().acknowledged().contains(i)) {
        fedora.has(i, Instant.now());
      }
    }
  }

  private static void acknowledged(Journal journal, long index) throws IOException {
    journal.begun(index);
    acknowledge(journal, index);
  }

  @Test
  void reportsTheProgressOfTheRecheck() throws Exception {
    killedAfter(
        journal -> {
          for (int i = 0; i < 5; i++) {
            acknowledged(journal, i);
          }
          journal.allUnconfirmed();
        });
    for (int i = 0; i < 5; i++) {
      fedora.has(i, Instant.now());
    }
    List<Long> toLookAt = new CopyOnWriteArrayList<>();
    AtomicInteger looked = new AtomicInteger();
    RequestListener counting =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {
            // of no interest
          }

          @Override
          public void onRecheck(long objects) {
            toLookAt.add(objects);
          }

          @Override
          public void onRechecked() {
            looked.incrementAndGet();
          }
        };

    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown())) {
      assertThat(ingest(journal, 5, counting).complete()).isTrue();
    }

    assertThat(toLookAt).containsExactly(5L);
    assertThat(looked).hasValue(5);
  }

  @Test
  void aShardWaitsForTheParentThatAnotherBrings() throws Exception {
    dataset = new TinyFamily();
    fedora.close();
    fedora = new ScriptedFedora(dataset);
    List<String> awaited = new CopyOnWriteArrayList<>();
    RequestListener otherDriver =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {
            // of no interest
          }

          @Override
          public void onAwaiting(String pid) {
            assertThat(fedora.ingests).isEmpty();
            awaited.add(pid);
            fedora.has(0, Instant.now());
          }
        };
    try (Journal journal = Journal.create(folder.resolve("journal"), 0, new Shard(2, 2).stride());
        FedoraClient client = client()) {
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(20, 4).withRetry(QUICK).withShard(new Shard(2, 2)),
                  journal,
                  RequestSink.NONE,
                  otherDriver)
              .run();

      assertThat(result.complete()).as("%s", result).isTrue();
      assertThat(result.count(Count.INGESTED)).isEqualTo(10);
      assertThat(awaited).containsExactly("tiny:0");
      assertThat(journal.state().acknowledged()).hasToString("1..19 by 2");
    }
  }

  @Test
  void aShardRunsOneTripleQueryAtATime() throws Exception {
    Shard shard = new Shard(1, 2);
    try (Journal journal = Journal.create(folder.resolve("journal"), 0, shard.stride())) {
      for (int i = 0; i < 20; i += 2) {
        acknowledged(journal, i);
        fedora.has(i, Instant.now());
      }
      journal.allUnconfirmed();
    }
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger mostAtOnce = new AtomicInteger();
    fedora.answers =
        path -> {
          if (path.startsWith("/risearch?")) {
            mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            TestDelay.sleep(Duration.ofMillis(2)); // long enough for another one to be noticed
            underWay.decrementAndGet();
          }
          return null;
        };

    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown());
        FedoraClient client = client()) {
      IngestOptions options = IngestOptions.of(20, 4).withRetry(QUICK).withShard(shard);
      assertThat(
              new IngestDriver(
                      client, dataset, options, journal, RequestSink.NONE, RequestListener.NONE)
                  .run()
                  .complete())
          .isTrue();
    }
    assertThat(mostAtOnce).hasValue(1);
  }

  @Test
  @Timeout(60)
  void aShardThatWaitsForAParentEndsWhenItsTimeIsOver() throws Exception {
    dataset = new TinyFamily();
    fedora.close();
    fedora = new ScriptedFedora(dataset);
    Shard shard = new Shard(2, 2);
    try (Journal journal = Journal.create(folder.resolve("journal"), 0, shard.stride());
        FedoraClient client = client()) {
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(20, 4)
                      .withRetry(QUICK)
                      .withShard(shard)
                      .withEndConditions(
                          EndConditions.AT_THE_LAST_OBJECT.withMaxDuration(Duration.ofMillis(100))),
                  journal,
                  RequestSink.NONE,
                  RequestListener.NONE)
              .run();

      assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
      assertThat(result.reason()).contains("--duration has passed");
      assertThat(result.count(Count.REQUESTED)).isZero();
      assertThat(result.count(Count.ABANDONED)).isZero();
      assertThat(fedora.ingests).isEmpty();
      assertThat(journal.state().pending().isEmpty()).isTrue();
    }
  }

  private static FirstDriver setBackAnHourSince(Instant began) {
    long before = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
    return new FirstDriver(began, ClockStep.since(System.nanoTime(), before));
  }

  private interface Work {
    void on(Journal journal) throws IOException;
  }

  /** As a killed driver leaves it: what was written, and no end. */
  private void killedAfter(Work work) throws IOException {
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      work.on(journal);
    }
  }

  private static void acknowledge(Journal journal, long index) throws IOException {
    journal.acknowledged(
        new Acknowledged(
            index, System.nanoTime(), 1000, new TinyDataset().object(index).triples(), 30, 0, 0));
  }

  private JournalState state() throws IOException {
    return Journal.read(folder.resolve("journal"));
  }

  /** Two objects, of an ingest that began then. */
  private IngestResult resumeOf(Instant began) throws IOException {
    try (Journal journal =
        Journal.resume(folder.resolve("journal"), new FirstDriver(began, ClockStep.sinceNow()))) {
      return ingest(journal, 2, RequestListener.NONE);
    }
  }

  /** A foreign object with the same PID. */
  private ComposedObject theirs(long index) {
    ComposedObject ours = dataset.object(index);
    return new ComposedObject(ours.pid(), "theirs", List.of(), ours.dublinCore(), List.of());
  }

  private IngestResult resume(long objects) throws IOException {
    try (Journal journal = Journal.resume(folder.resolve("journal"), FirstDriver.unknown())) {
      return ingest(journal, objects, RequestListener.NONE);
    }
  }

  /** Brings Fedora back when the driver has noticed that it is away. */
  private RequestListener restartingFedora() {
    return new RequestListener() {
      @Override
      public void onRequest(RequestEvent event) {
        // of no interest
      }

      @Override
      public void onOutage(String reason) {
        fedora.restart();
      }
    };
  }

  private IngestResult ingest(Journal journal, long objects, RequestListener listener)
      throws IOException {
    return ingest(journal, IngestOptions.of(objects, 2).withRetry(QUICK), listener);
  }

  private IngestResult ingest(Journal journal, IngestOptions options, RequestListener listener)
      throws IOException {
    try (FedoraClient client = client()) {
      return new IngestDriver(client, dataset, options, journal, RequestSink.NONE, listener).run();
    }
  }

  private FedoraClient client() {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(4));
  }
}
