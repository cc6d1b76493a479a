package org.fedometer.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;
import org.fedometer.driver.DraftResult;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedFedora.Reply;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Failures;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.mix.Mix;
import org.fedometer.driver.mix.MixOptions;
import org.fedometer.driver.mix.MixResult;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counting and reading back, with answers of the shape that a real Fedora 3.8.1 gives. */
@Timeout(30)
class CountsAndVerifierTest {

  @Test
  void whatIsNotThereOrCouldNotBeCountedIsMissing() {
    assertThat(found(5, 5L, 50, 50L).anyMissing()).isFalse();
    assertThat(found(5, 6L, 50, 51L).anyMissing()).isFalse();
    assertThat(found(5, 5L, 0, null).anyMissing()).as("no triplestore").isFalse();
    assertThat(found(5, 4L, 50, 50L).anyMissing()).isTrue();
    assertThat(found(5, null, 50, 50L).anyMissing()).isTrue();
    assertThat(found(5, 5L, 50, 49L).anyMissing()).isTrue();
    assertThat(found(5, 5L, 50, null).anyMissing()).isTrue();
  }

  private static Verification found(
      long objects, Long objectsCounted, long triples, Long triplesCounted) {
    return new Verification(
        objects, objectsCounted, triples, triplesCounted, 0, 0, 0, List.of(), List.of(), 0);
  }

  private final TinyDataset dataset = new TinyDataset();
  private ScriptedFedora fedora;
  private FedoraClient client;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(dataset);
    client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(4));
  }

  @AfterEach
  void stop() {
    client.close();
    fedora.close();
  }

  @Test
  void objectsAreCountedPageByPageAndStrangersAreLeftOut() throws IOException {
    List<String> asked = new ArrayList<>();
    fedora.answers =
        path -> {
          if (!path.startsWith("/objects?")) {
            return null;
          }
          asked.add(path);
          return path.contains("sessionToken=t1")
              ? page("", "tiny:3", "Tiny:4", "tiny:5")
              : page("t1", "tiny:1", "tiny:2");
        };
    List<Long> heard = new ArrayList<>();

    assertThat(new ObjectCounter(client.newSession()).count("tiny", heard::add)).isEqualTo(4);

    assertThat(heard).containsExactly(2L, 4L);
    assertThat(asked.get(0)).contains("query=pid%7Etiny%3A*").contains("resultFormat=xml");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aSearchThatExpiredIsBegunAgain() throws IOException {
    AtomicInteger resumed = new AtomicInteger();
    fedora.answers =
        path -> {
          if (!path.startsWith("/objects?")) {
            return null;
          }
          if (!path.contains("sessionToken")) {
            return page("t", "tiny:1");
          }
          return resumed.incrementAndGet() == 1 ? new Reply(500, "", "") : page("", "tiny:2");
        };

    assertThat(new ObjectCounter(client.newSession()).count("tiny", n -> {})).isEqualTo(2);
  }

  @Test
  void triplesAreCountedUntilNothingMoves() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    int[] counts = {100, 180, 180};
    fedora.answers =
        path -> path.equals("/user") ? null : triples(path, counts[asked.getAndIncrement()]);

    long drained = new TripleCounter(client.newSession()).drain(Duration.ofSeconds(20));

    assertThat(drained).isEqualTo(180);
    assertThat(asked).hasValue(3);
  }

  @Test
  void aFedoraWhoseUserServletFailsIsLoggedInToByAnObject() throws IOException {
    List<String> asked = new ArrayList<>();
    fedora.answers =
        path -> {
          asked.add(path);
          return path.equals("/user")
              ? new Reply(500, "text/html", "java.lang.NoSuchMethodError")
              : new Reply(
                  200,
                  "text/xml",
                  "<?xml version=\"1.0\"?>\n<foxml:digitalObject xmlns:foxml=\"info:fedora/"
                      + "fedora-system:def/foxml#\"/>");
        };

    client.newSession().login();

    assertThat(asked).containsExactly("/user", "/objects/fedora-system:FedoraObject-3.0/objectXML");
  }

  @Test
  void anInterruptedThreadAsksFedoraNothing() {
    List<String> asked = new ArrayList<>();
    fedora.answers =
        path -> {
          asked.add(path);
          return null;
        };
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> new TripleCounter(client.newSession()).count(true))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("interrupted");
    } finally {
      Thread.interrupted();
    }
    assertThat(asked).isEmpty();
  }

  /** As a reading of all triples counts them. */
  @Test
  void theTriplesOfADatastreamThatWasAddedCountAsTheObjects() throws IOException {
    String object = "<info:fedora/tiny:1>";
    String view = " <info:fedora/fedora-system:def/view#";
    Map<String, Reply> answers =
        Map.of(
            "format=N-Triples&query=" + object + " * *",
            new Reply(
                200,
                "text/plain",
                object
                    + view
                    + "disseminates> <info:fedora/tiny:1/ADDED> .\n"
                    + object
                    + " <http://purl.org/dc/elements/1.1/title> \""
                    + view
                    + "disseminates> <info:fedora/tiny:1/NONE>\" .\n"),
            "format=count&query=<info:fedora/tiny:1/ADDED> * *",
            new Reply(200, "text/plain", "5"));
    fedora.answers =
        path ->
            path.startsWith("/risearch")
                ? answers.entrySet().stream()
                    .filter(
                        answer ->
                            URLDecoder.decode(path, StandardCharsets.UTF_8)
                                .endsWith(answer.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(new Reply(200, "text/plain", "0"))
                : null;

    assertThat(new TripleCounter(client.newSession()).countOf(dataset.object(1))).isEqualTo(7);
  }

  @Test
  void reportsAFailedFlushWithFedorasMessage() {
    fedora.answers =
        path ->
            path.startsWith("/risearch")
                ? new Reply(500, "text/html", "<html><pre>value too long for type</pre></html>")
                : null;

    assertThatThrownBy(() -> new TripleCounter(client.newSession()).count(true))
        .isInstanceOf(FedoraRefusalException.class)
        .hasMessage("Could not count triples: Fedora answered 500, value too long for type");
  }

  @Test
  void whatArrivedWholeIsFoundWell() throws IOException {
    IngestResult ingest = ingest(60);
    answerCounts(60, ingest.count(Count.EXPECTED_TRIPLES) + 230);

    Verification verification = verifier(25).verify(ingest, new Verifier.Before(0, 230));

    assertThat(verification.problems()).isEmpty();
    assertThat(verification.ok()).isTrue();
    assertThat(verification.objectsCounted()).isEqualTo(60);
    assertThat(verification.triplesCounted()).isEqualTo(verification.triplesExpected());
    assertThat(verification.sampledObjects()).isEqualTo(25);
    assertThat(verification.equalObjects()).isEqualTo(25);
    assertThat(verification.sampledBytes()).isPositive();
  }

  @Test
  void surplusTriplesAreAProblemOnlyWithoutOtherWriters() throws IOException {
    IngestResult ingest = ingest(10);
    answerCounts(10, ingest.count(Count.EXPECTED_TRIPLES) + 54);
    Verifier.Options options = Verifier.Options.standard(7);

    assertThat(
            new Verifier(client, dataset, options, ContentDelivery.inRequest())
                .verify(ingest, new Verifier.Before(0, 0))
                .problems())
        .singleElement()
        .asString()
        .contains("54 are too many");
    Verification amongOthers =
        new Verifier(client, dataset, options.withOtherWriters(), ContentDelivery.inRequest())
            .verify(ingest, new Verifier.Before(0, 0));
    assertThat(amongOthers.ok()).isTrue();
    assertThat(amongOthers.notes()).singleElement().asString().contains("54 triples more");
  }

  @Test
  void comparesEverythingAndReportsEachProblem() throws IOException {
    IngestResult ingest = ingest(60);
    fedora.withoutTriples.add("tiny:41");
    fedora.strayTriples.add("<info:fedora/tiny:none> <info:p> <info:o> .");
    List<Problem> heard = new ArrayList<>();
    RepositoryCheck.Listener listener =
        new RepositoryCheck.Listener() {
          @Override
          public void onProblem(Problem problem) {
            heard.add(problem);
          }
        };

    Verification verification =
        new Verifier(
                client,
                dataset,
                Verifier.Options.standard(1).withEverything(),
                ContentDelivery.inRequest())
            .verify(ingest, new Verifier.Before(0, 0), listener);

    assertThat(verification.sampledObjects()).isEqualTo(60);
    assertThat(verification.equalObjects()).isEqualTo(59);
    assertThat(verification.problems())
        .contains(
            "The triplestore has 0 triples of tiny:41 and should have 33.",
            "The triplestore has triples of tiny:none, which Fedora does not have.");
    assertThat(heard).extracting(Problem::pid).containsExactly("tiny:41", "tiny:none");
  }

  @Test
  void reportsMissingAndDifferentObjects() throws IOException {
    IngestResult ingest = ingest(10);
    answerCounts(9, ingest.count(Count.EXPECTED_TRIPLES) - 46);
    ComposedObject seven = dataset.object(7);
    fedora.replace(
        new ComposedObject(
            seven.pid(),
            "Another label",
            List.of(seven.content().get(0), TinyDataset.text("IMAGE", "image of 8")),
            seven.dublinCore(),
            seven.relationships()));
    ComposedObject eight = dataset.object(8);
    fedora.replace(
        new ComposedObject(
            eight.pid(),
            eight.label(),
            List.of(eight.content().get(1)),
            eight.dublinCore(),
            eight.relationships()));

    Verification verification = verifier(100).verify(ingest, new Verifier.Before(0, 0));

    assertThat(verification.ok()).isFalse();
    assertThat(verification.sampledObjects()).isEqualTo(10);
    assertThat(verification.equalObjects()).isEqualTo(8);
    assertThat(verification.problems())
        .anyMatch(p -> p.contains("46 are missing"))
        .anyMatch(p -> p.contains("finds 9 objects of the namespace tiny and should find 10"))
        .anyMatch(p -> p.equals("tiny:7 is labelled 'Another label' and should be 'Object 7'."))
        .anyMatch(p -> p.startsWith("tiny:7/IMAGE holds 10 bytes with SHA-256 "))
        .anyMatch(p -> p.equals("tiny:8 has no datastream FULLTEXT."))
        .contains("The triplestore has 27 triples of tiny:8 and should have 33.")
        .hasSize(6);
  }

  @Test
  void reportsDifferentMetadataAndRelationships() throws IOException {
    IngestResult ingest = ingest(5);
    answerCounts(5, ingest.count(Count.EXPECTED_TRIPLES));
    ComposedObject three = dataset.object(3);
    fedora.replace(
        new ComposedObject(
            three.pid(),
            three.label(),
            three.content(),
            List.of(new DublinCoreValue("title", "  Another   title ")),
            List.of(
                new Relationship("info:example/number", "12", true),
                new Relationship(
                    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
                    "info:example/Thing",
                    false))));

    Verification verification = verifier(5).verify(ingest, new Verifier.Before(0, 0));

    assertThat(verification.equalObjects()).isEqualTo(4);
    assertThat(verification.problems())
        .containsExactly(
            "tiny:3/DC lacks title Object 3.",
            "tiny:3/DC has title Another   title, which should not be there.",
            "tiny:3/RELS-EXT lacks info:example/partOf <info:fedora/tiny:all>.",
            "tiny:3/RELS-EXT has http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
                + " <info:example/Thing> and 1 more, which should not be there.",
            "The triplestore has 34 triples of tiny:3 and should have 33.");
  }

  @Test
  void aFlushThatLostItsBatchIsAProblemAndTheRestIsCounted() throws IOException {
    IngestResult ingest = ingest(10);
    answerCounts(10, ingest.count(Count.EXPECTED_TRIPLES) - 31);
    ScriptedFedora.Answers counts = fedora.answers;
    AtomicInteger flushes = new AtomicInteger();
    fedora.answers =
        path ->
            path.startsWith("/risearch") && flushes.getAndIncrement() == 0
                ? new Reply(500, "text/html", "<html><pre>Error updating triples</pre></html>")
                : counts.to(path);

    Verification verification = verifier(5).verify(ingest, new Verifier.Before(0, 0));

    assertThat(verification.triplesCounted()).isEqualTo(ingest.count(Count.EXPECTED_TRIPLES) - 31);
    assertThat(verification.problems())
        .hasSize(2)
        .anyMatch(p -> p.contains("500, Error updating triples"))
        .anyMatch(p -> p.contains("31 are missing"));
  }

  @Test
  void doesNotQueryTriplesWithoutATriplestore() throws IOException {
    IngestResult ingest = ingest(10);
    answerCounts(10, 0);
    ScriptedFedora.Answers counts = fedora.answers;
    fedora.answers =
        path -> path.startsWith("/risearch") ? new Reply(500, "", "") : counts.to(path);
    Verifier verifier =
        new Verifier(
            client,
            dataset,
            Verifier.Options.standard(7).withoutTriples(),
            ContentDelivery.inRequest());

    Verification verification = verifier.verify(ingest, new Verifier.Before(0, 0));

    assertThat(verification.problems()).isEmpty();
    assertThat(verification.objectsCounted()).isEqualTo(10);
    assertThat(verification.triplesCounted()).isNull();
    assertThat(verification.triplesExpected()).isZero();
  }

  @Test
  void aFedoraThatIsGoneIsAProblemAndNotAnException() throws IOException {
    IngestResult ingest = ingest(3);
    fedora.kill();

    Verification verification = verifier(100).verify(ingest, new Verifier.Before(0, 0));

    assertThat(verification.objectsCounted()).isNull();
    assertThat(verification.triplesCounted()).isNull();
    assertThat(verification.equalObjects()).isZero();
    assertThat(verification.problems())
        .hasSize(5)
        .allMatch(p -> p.contains("No connection to") || p.startsWith("Could not"));
  }

  @Test
  void ofMoreObjectsThanAreRememberedThoseThatFailedAreNotMissed() throws IOException {
    DraftResult draft = new DraftResult();
    IngestResult ten = ingest(10);
    answerCounts(10, ten.count(Count.EXPECTED_TRIPLES));
    draft.count(Count.EXPECTED_TRIPLES, ten.count(Count.EXPECTED_TRIPLES));
    draft.count(Count.INGESTED, 10);
    draft.count(Count.FAILED, IngestTally.MAX_NOT_INGESTED + 15L);
    draft.endIndex = 10 + IngestTally.MAX_NOT_INGESTED + 15L;
    draft.count(Count.REQUESTED, draft.endIndex);
    draft.failures = new Failures(List.of(), List.of(), from(10, IngestTally.MAX_NOT_INGESTED));

    Verification verification = verifier(25).verify(draft.result(), new Verifier.Before(0, 0));

    assertThat(verification.problems()).isEmpty();
    assertThat(verification.sampledObjects()).isEqualTo(10);
    assertThat(verification.equalObjects()).isEqualTo(10);
    assertThat(verification.notes())
        .containsExactly(
            "15 objects are left out of the sample, as not in Fedora: only the first"
                + " 1,000,000 of the 1,000,015 that were not ingested are known.");
  }

  @Test
  void noObjectIsComparedWhereAMixMayHaveChangedMoreThanAreRemembered() throws IOException {
    DraftResult draft = new DraftResult();
    IngestResult ten = ingest(10);
    answerCounts(10, ten.count(Count.EXPECTED_TRIPLES));
    draft.count(Count.EXPECTED_TRIPLES, ten.count(Count.EXPECTED_TRIPLES));
    draft.count(Count.INGESTED, 10);
    draft.endIndex = 10;
    draft.mix =
        new MixResult(
            new MixOptions(Mix.parse("get-object=1,modify-datastream=1"), 1, 10, 0),
            4_000_000,
            4_000_000,
            Map.of(Operation.MODIFY_DATASTREAM, new MixResult.Counts(0, 2_000_000, 0)),
            0,
            from(0, IngestTally.MAX_NOT_INGESTED));

    Verification verification = verifier(25).verify(draft.result(), new Verifier.Before(0, 0));

    assertThat(verification.problems())
        .containsExactly("2,000,000 requests of the mix other than ingests failed for good.");
    assertThat(verification.sampledObjects()).isZero();
    assertThat(verification.notes()).singleElement().asString().contains("but not compared");
  }

  @Test
  void notesOptionalObjectsWhenEverythingIsCompared() throws IOException {
    DraftResult draft = new DraftResult();
    draft.count(Count.INGESTED, 5);
    draft.count(Count.EXPECTED_TRIPLES, ingest(5).count(Count.EXPECTED_TRIPLES));
    draft.count(Count.FAILED, 2);
    draft.endIndex = 7;

    Verification verification =
        new Verifier(
                client,
                dataset,
                Verifier.Options.standard(1).withEverything(),
                ContentDelivery.inRequest())
            .verify(draft.result(), new Verifier.Before(0, 0));

    assertThat(verification.problems()).isEmpty();
    assertThat(verification.equalObjects()).isEqualTo(5);
    assertThat(verification.notes())
        .singleElement()
        .asString()
        .startsWith("2 objects are not in Fedora; at least as many had failed");
  }

  private static Set<Long> from(long first, long count) {
    return LongStream.range(first, first + count).boxed().collect(Collectors.toSet());
  }

  private Verifier verifier(int sampled) {
    return new Verifier(
        client,
        dataset,
        new Verifier.Options(sampled, 7, 3, Duration.ofSeconds(10), true),
        ContentDelivery.inRequest());
  }

  private IngestResult ingest(long objects) throws IOException {
    return new IngestDriver(
            client, dataset, IngestOptions.of(objects, 4), RequestSink.NONE, RequestListener.NONE)
        .run();
  }

  private void answerCounts(int objects, long triples) {
    fedora.answers =
        path -> {
          if (path.startsWith("/objects?")) {
            String[] pids = new String[objects];
            for (int i = 0; i < objects; i++) {
              pids[i] = "tiny:" + i;
            }
            return page("", pids);
          }
          return triples(path, triples);
        };
  }

  private static Reply triples(String path, long count) {
    return path.startsWith("/risearch?type=triples&lang=spo&format=count&query=*+*+*&flush=true")
        ? new Reply(200, "text/plain", count + "\n")
        : null;
  }

  private static Reply page(String token, String... pids) {
    StringBuilder xml =
        new StringBuilder(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<result xmlns=\"http://www.fedora.info/definitions/1/0/types/\">\n");
    if (!token.isEmpty()) {
      xml.append("<listSession><token>" + token + "</token><cursor>0</cursor></listSession>");
    }
    xml.append("<resultList>");
    for (String pid : pids) {
      xml.append("<objectFields><pid>" + pid + "</pid></objectFields>");
    }
    return new Reply(200, "text/xml", xml.append("</resultList></result>").toString());
  }
}
