package org.fedometer.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedFedora.Reply;
import org.fedometer.driver.fedora.SubjectLines;
import org.fedometer.driver.journal.IndexRanges;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects, field index and triplestore against what a run should have left. */
@Timeout(30)
class RepositoryCheckTest {

  private static final int OBJECTS = 30;

  private final TinyDataset dataset = new TinyDataset();
  private final List<Problem> problems = new ArrayList<>();
  private ScriptedFedora fedora;
  private FedoraClient client;

  @BeforeEach
  void haveObjects() throws IOException {
    fedora = new ScriptedFedora(dataset);
    client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(4));
    for (int i = 0; i < OBJECTS; i++) {
      fedora.has(i, Instant.now());
    }
  }

  @AfterEach
  void stop() {
    client.close();
    fedora.close();
  }

  @Test
  void whatIsWholeIsFoundWellInASampleAndAltogether() throws IOException {
    RepositoryCheck.Result sampled = check(claim(), sample(7));
    RepositoryCheck.Result all = check(claim(), everything());

    assertThat(problems).isEmpty();
    assertThat(sampled.compared()).isEqualTo(7);
    assertThat(all.compared()).isEqualTo(OBJECTS);
    assertThat(all.equal()).isEqualTo(OBJECTS);
    assertThat(all.objectsFound()).isEqualTo(OBJECTS);
    assertThat(all.triplesFound()).isEqualTo(all.triplesExpected()).isPositive();
    assertThat(all.complete()).isTrue();
    assertThat(all.notes()).isEmpty();
  }

  @Test
  void eachThingThatIsWrongIsNamedWithItsObject() throws IOException {
    fedora.remove("tiny:3");
    ComposedObject four = dataset.object(4);
    fedora.replace(
        new ComposedObject(
            four.pid(),
            four.label(),
            List.of(four.content().get(0), TinyDataset.text("IMAGE", "image of 5")),
            four.dublinCore(),
            four.relationships()));
    fedora.withoutTriples.add("tiny:5");
    fedora.withoutFields.add("tiny:6");
    fedora.strayFields.add("tiny:ghost");
    fedora.strayTriples.add("<info:fedora/tiny:stated/DC> <info:p> <info:o> .");
    fedora.strayTriples.add("<info:fedora/tiny:7> <info:p> \"one too many\" .");
    fedora.strayTriples.add("<http://example.org/not-fedoras> <info:p> <info:o> .");
    fedora.strayTriples.add("<info:fedora/somebody:1> <info:p> <info:o> .");

    RepositoryCheck.Result result = check(claim(), everything());

    assertThat(problems)
        .extracting(Problem::kind, Problem::pid)
        .containsExactlyInAnyOrder(
            tuple(Problem.Kind.MISSING, "tiny:3"),
            tuple(Problem.Kind.DIFFERS, "tiny:4"),
            tuple(Problem.Kind.TRIPLES, "tiny:5"),
            tuple(Problem.Kind.NOT_IN_FIELD_INDEX, "tiny:6"),
            tuple(Problem.Kind.TRIPLES, "tiny:7"),
            tuple(Problem.Kind.FIELD_INDEX_ORPHAN, "tiny:ghost"),
            tuple(Problem.Kind.TRIPLESTORE_ORPHAN, "tiny:stated"));
    assertThat(result.problems()).isEqualTo(7);
    assertThat(result.equal()).isEqualTo(OBJECTS - 5);
    assertThat(problems)
        .extracting(Problem::text)
        .anyMatch(text -> text.startsWith("tiny:4/IMAGE holds 10 bytes with SHA-256 "));
  }

  @Test
  void whatTheFieldSearchDoesNotFindIsLookedAtInASampleOfNothing() throws IOException {
    fedora.remove("tiny:3");
    fedora.withoutFields.add("tiny:6");

    RepositoryCheck.Result result = check(claim(), sample(0));

    assertThat(problems)
        .extracting(Problem::kind, Problem::pid)
        .containsExactlyInAnyOrder(
            tuple(Problem.Kind.MISSING, "tiny:3"),
            tuple(Problem.Kind.NOT_IN_FIELD_INDEX, "tiny:6"));
    assertThat(result.objectsFound()).isEqualTo(OBJECTS - 2);
  }

  @Test
  void whatIsLookedAtBesidesTheSampleIsPartOfAllThatAre() throws IOException {
    fedora.withoutFields.addAll(List.of("tiny:3", "tiny:4"));
    List<String> shares = new ArrayList<>();

    new RepositoryCheck(
            client,
            claim(),
            ContentDelivery.inRequest(),
            sample(0),
            new RepositoryCheck.Listener() {
              @Override
              public void onProgress(String what, long done, long all) {
                if (what.equals("comparing objects")) {
                  shares.add(done + " of " + all);
                }
              }
            })
        .run();

    assertThat(shares).containsExactly("2 of 2");
  }

  @Test
  void ofARunThatWasCutShortAsManyMayBeMissingAsWereUnderWayAndNoMore() throws IOException {
    fedora.remove("tiny:28");
    fedora.remove("tiny:29");

    RepositoryCheck.Result result = check(claim(2), everything());

    assertThat(problems).isEmpty();
    assertThat(result.open()).isEqualTo(2);
    assertThat(result.notes()).hasSize(1);

    fedora.remove("tiny:5");
    check(claim(2), everything());

    assertThat(problems)
        .extracting(Problem::pid)
        .containsExactlyInAnyOrder("tiny:5", "tiny:28", "tiny:29");
  }

  @Test
  void reportsRemainsOfFailedObjects() throws IOException {
    fedora.remove("tiny:3");
    fedora.remove("tiny:4");
    fedora.strayTriples.add("<info:fedora/tiny:4> <info:p> <info:o> .");
    IndexRanges failed = new IndexRanges();
    List.of(3L, 4L, 5L).forEach(failed::add);

    RepositoryCheck.Result result =
        check(new RunClaim(dataset, 0, OBJECTS, failed, 0, true, null, false, null), everything());

    assertThat(problems)
        .extracting(Problem::kind, Problem::pid)
        .containsExactly(tuple(Problem.Kind.TRIPLESTORE_ORPHAN, "tiny:4"));
    assertThat(result.notes())
        .anyMatch(note -> note.contains("1 object that had failed is in Fedora all the same"));
    assertThat(result.objectsExpected()).isEqualTo(OBJECTS - 3);
    assertThat(result.objectsFound()).isEqualTo(OBJECTS - 3);
  }

  @Test
  void queriesObjectsOneByOneIfTheFieldSearchFails() throws IOException {
    fedora.withoutFields.add("tiny:6");
    fedora.answers =
        path ->
            path.startsWith("/objects?") && path.contains("pid%7E") ? new Reply(500, "", "") : null;

    RepositoryCheck.Result result = check(claim(), everything());

    assertThat(result.objectsFound()).isNull();
    assertThat(problems)
        .extracting(Problem::kind, Problem::pid)
        .containsExactly(
            tuple(Problem.Kind.WHOLE, ""), tuple(Problem.Kind.NOT_IN_FIELD_INDEX, "tiny:6"));
    assertThat(problems.get(0).text()).contains("repair --home DIR --dry-run");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Object not found in low-level storage: tiny:ghost",
        "no path in db registry for [tiny:ghost]"
      })
  void aRowOfTheFieldIndexWithoutAnObjectFailsTheSearchAndIsNamedByIt(String words)
      throws IOException {
    List<String> searches = new ArrayList<>();
    fedora.answers =
        path -> {
          if (!path.contains("pid%7E")) {
            return null;
          }
          searches.add(path);
          return new Reply(404, "text/plain", words);
        };

    check(claim(), sample(3));

    assertThat(problems)
        .extracting(Problem::kind, Problem::pid)
        .containsExactly(tuple(Problem.Kind.FIELD_INDEX_ORPHAN, "tiny:ghost"));
    assertThat(searches).as("each costs Fedora a database connection").hasSize(2);
  }

  @Test
  void reportsAnUnreadableObject() throws IOException {
    fedora.answers =
        path -> path.startsWith("/objects/tiny:8?") ? new Reply(500, "text/plain", "broken") : null;

    check(claim(), everything());

    assertThat(problems)
        .extracting(Problem::kind, Problem::pid)
        .containsExactly(tuple(Problem.Kind.NOT_GIVEN, "tiny:8"));
    assertThat(problems.get(0).text()).contains("500, broken");
  }

  @Test
  void reportsSurplusVersionsAndDatastreamsAndWrongMediaTypes() throws IOException {
    ComposedObject two = dataset.object(2);
    List<ContentStream> more = new ArrayList<>(two.content());
    more.add(TinyDataset.text("EXTRA", "one too many"));
    fedora.replace(
        new ComposedObject(two.pid(), two.label(), more, two.dublinCore(), two.relationships()));
    fedora.answers =
        path ->
            path.equals("/objects/tiny:9/datastreams/IMAGE?format=xml")
                ? new Reply(
                    200,
                    "text/xml",
                    "<datastreamProfile><dsVersionID>IMAGE.1</dsVersionID>"
                        + "<dsControlGroup>M</dsControlGroup><dsMIME>text/html</dsMIME>"
                        + "<dsSize>11</dsSize></datastreamProfile>")
                : null;

    check(claim(), everything());

    assertThat(problems)
        .extracting(Problem::text)
        .contains(
            "tiny:2 has a datastream EXTRA, which should not be there.",
            "tiny:9/IMAGE has the media type text/html and should have text/plain.",
            "tiny:9/IMAGE has the version IMAGE.1 and should have IMAGE.0.",
            "tiny:9/IMAGE has the size on record 11 and should have 10.");
  }

  @Test
  void fewerTriplesThanWereThereAfterTheRunAreAProblemAlsoInASample() throws IOException {
    long now = (long) OBJECTS * dataset.object(0).triples();
    RunClaim claim =
        new RunClaim(dataset, 0, OBJECTS, new IndexRanges(), 0, true, null, false, now + 46);

    check(claim, sample(1));

    assertThat(problems).extracting(Problem::text).hasSize(1);
    assertThat(problems.get(0).text()).contains("46 are missing");
  }

  @Test
  void countsAreWrittenAlikeInEveryCountry() throws IOException {
    long now = (long) OBJECTS * dataset.object(0).triples();
    RunClaim claim =
        new RunClaim(dataset, 0, OBJECTS, new IndexRanges(), 0, true, null, false, now + 46_000);
    Locale usual = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      check(claim, sample(1));
    } finally {
      Locale.setDefault(usual);
    }

    assertThat(problems).extracting(Problem::text).hasSize(1);
    assertThat(problems.get(0).text()).contains("46,000 are missing");
  }

  @Test
  void aFedoraThatIsNotThereCannotBeChecked() {
    fedora.kill();

    assertThatThrownBy(() -> check(claim(), everything()))
        .isInstanceOf(FedoraUnreachableException.class);
  }

  @Test
  void aFedoraThatGoesAwayInTheMidstEndsTheCheckAndMakesNoProblems() {
    fedora.answers =
        path -> {
          if (path.startsWith("/objects/tiny:9?")) {
            fedora.kill();
          }
          return null;
        };

    assertThatThrownBy(() -> check(claim(), everything()))
        .isInstanceOf(FedoraUnreachableException.class);
    assertThat(problems).extracting(Problem::kind).doesNotContain(Problem.Kind.MISSING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDatasetThatIsNotWhatItWasEndsTheCheckInASentence(boolean seenByReaders) {
    Thread conductor = Thread.currentThread();
    TinyDataset changed =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            if (index == 7 && seenByReaders == (Thread.currentThread() != conductor)) {
              throw new UncheckedIOException(new IOException("7.xml is not what it was"));
            }
            return super.object(index);
          }
        };
    RunClaim claim =
        new RunClaim(changed, 0, OBJECTS, new IndexRanges(), 0, true, null, false, null);

    assertThatThrownBy(() -> check(claim, everything()))
        .isInstanceOf(IOException.class)
        .hasMessage("7.xml is not what it was");
  }

  @Test
  void reportsAWrongPasswordAtOnce() {
    fedora.acceptsLogin = false;

    assertThatThrownBy(() -> check(claim(), everything()))
        .isInstanceOf(LoginRefusedException.class);
  }

  @Test
  void reportsThatTheCheckWasStopped() throws IOException {
    RepositoryCheck[] running = {null};
    running[0] =
        new RepositoryCheck(
            client,
            claim(),
            ContentDelivery.inRequest(),
            everything(),
            new RepositoryCheck.Listener() {
              @Override
              public void onProgress(String what, long done, long all) {
                running[0].stop();
              }
            });

    RepositoryCheck.Result result = running[0].run();

    assertThat(result.complete()).isFalse();
    assertThat(result.notes()).contains("The check was stopped before its end.");
  }

  @Test
  void subjectsAreReadWhateverTheRestOfALineHolds() throws IOException {
    String lines =
        "<info:fedora/a:1> <p> \"<info:fedora/b:2> in a text\" .\n"
            + "<info:fedora/a:1/DC> <p> \""
            + "x".repeat(100_000)
            + "\" .\n"
            + "_:node <p> <o> .\n\n"
            + "<info:fedora/c:3> <p> <o> .";
    List<String> pids = new ArrayList<>();

    long triples =
        SubjectLines.read(
            new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), pids::add);

    assertThat(triples).isEqualTo(4);
    assertThat(pids).containsExactly("a:1", "a:1", "c:3");
  }

  private RunClaim claim() {
    return claim(0);
  }

  private RunClaim claim(long open) {
    return new RunClaim(dataset, 0, OBJECTS, new IndexRanges(), open, open == 0, null, false, null);
  }

  private static RepositoryCheck.Options sample(int objects) {
    return new RepositoryCheck.Options(objects, false, false, 7, 3, true);
  }

  private static RepositoryCheck.Options everything() {
    return new RepositoryCheck.Options(0, true, true, 7, 3, true);
  }

  private RepositoryCheck.Result check(RunClaim claim, RepositoryCheck.Options options)
      throws IOException {
    problems.clear();
    return new RepositoryCheck(
            client,
            claim,
            ContentDelivery.inRequest(),
            options,
            new RepositoryCheck.Listener() {
              @Override
              public void onProblem(Problem problem) {
                problems.add(problem);
              }
            })
        .run();
  }
}
