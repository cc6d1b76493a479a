package org.fedometer.experiments.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.fedora.ClockOffset;
import org.fedometer.driver.fedora.RepositoryDescription;
import org.fedometer.experiments.Preflight;
import org.fedometer.experiments.check.Check.State;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.FedoraSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of matching loads and Fedoras, and of mismatches. */
class LoadChecksTest {

  private static final URI HERE = URI.create("http://127.0.0.1:8080/fedora");

  /** A network reserved for documentation. */
  private static final URI ELSEWHERE = URI.create("http://192.0.2.1:8080/fedora");

  @TempDir Path disk;

  private Dataset dataset = patents(DatasetOptions.UNLIMITED);
  private long objects = 100;
  private int workers = 4;
  private ContentOptions content = ContentOptions.standard();
  private RepositoryView seen = running(HERE);

  @Test
  void aFedoraAsItIsShippedSuitsAnOrdinaryLoad() throws Exception {
    seen = seen.withSettings(settings("mulgara-derby"), "home").onDisk(disk);

    assertThat(checks())
        .isNotEmpty()
        .allSatisfy(check -> assertThat(check.state()).isEqualTo(State.OK));
    assertThat(checks())
        .extracting(Check::name)
        .contains("resource-index", "literals", "disk", "pid-namespaces", "database-pool");
  }

  @Test
  void reportsUnknownChecksForARemoteFedora() {
    seen = running(ELSEWHERE);

    assertThat(check("database-pool").state()).isEqualTo(State.UNKNOWN);
    assertThat(check("http-threads").state()).isEqualTo(State.UNKNOWN);
    assertThat(check("policies").advice()).contains("--probe");
    assertThat(check("disk").found()).contains("is unknown", "needed for 100 objects");
  }

  @Test
  void literalsThatTheTriplestoreLosesAreAProblem() throws Exception {
    seen = seen.withSettings(settings("mptstore-mysql"), "home");

    Check check = check("literals");
    assertThat(check.state()).isEqualTo(State.PROBLEM);
    assertThat(check.found()).contains("mptstore stores up to 255");
    assertThat(check.advice()).contains("--max-literal 255");

    dataset = patents(255);
    assertThat(check("literals").state()).isEqualTo(State.OK);
  }

  /** Seen with PostgreSQL 18: 5,001 bytes of words are kept, 4,000 random letters are not. */
  @Test
  void whatPostgresqlCanCompressMayStayAndWhatItCannotIsLost() throws Exception {
    seen = seen.withSettings(settings("mptstore-postgresql"), "home");
    objects = 1;
    dataset = titled("word ".repeat(1_000));
    assertThat(check("literals").state()).isEqualTo(State.WARNING);

    dataset = titled(randomLetters());
    assertThat(check("literals").state()).isEqualTo(State.PROBLEM);
  }

  @Test
  void aLiteralThatIsLostIsFoundBesideALongerOneThatIsKept() {
    seen = seen.withSettings(settings("mptstore-postgresql"), "home");
    objects = 1;
    String lost = randomLetters();
    String limitBytes = "word ".repeat(lost.length() / 4);

    dataset = titled(limitBytes, lost);

    assertThat(limitBytes).hasSizeGreaterThan(lost.length());
    assertThat(check("literals").state()).isEqualTo(State.PROBLEM);
  }

  private static String randomLetters() {
    Random random = new Random(5);
    StringBuilder letters = new StringBuilder();
    random.ints(8_000, 'A', 'z' + 1).filter(Character::isLetter).forEach(letters::appendCodePoint);
    return letters.toString();
  }

  @Test
  void describesAnUnknownTriplestoreByItsLanguages() {
    assertThat(check("literals").state()).as("one that answers iTQL").isEqualTo(State.OK);
    seen = running(HERE, RepositoryView.Triples.WITHOUT_ITQL, Set.of("*"), 0);
    assertThat(check("literals").advice()).contains("--max-literal");
    dataset = patents(255);
    assertThat(check("literals").state()).as("short enough for any").isEqualTo(State.OK);
  }

  @Test
  void aDiskThatIsTooSmallIsAProblemWhereItIsFedorasForSure() throws Exception {
    objects = 1_000_000_000_000L;
    seen = running(HERE).onDisk(disk);
    assertThat(check("disk").state()).as("it may be another").isEqualTo(State.WARNING);

    seen = RepositoryView.of(profile("mulgara-derby"), disk);
    assertThat(check("disk").state()).isEqualTo(State.PROBLEM);
    objects = Long.MAX_VALUE;
    assertThat(check("disk").found()).contains("per object, without end");
  }

  @Test
  void requiresDiskSpaceForObjectsWithExternalContent() {
    objects = 1_000;
    content = content(ContentPath.REDIRECT, Packaging.FOXML);
    seen = RepositoryView.of(profile("mulgara-derby"), disk);

    assertThat(check("disk").found())
        .contains("; about " + NumberFormats.bytes(40_000_000) + " needed");
  }

  @Test
  void aNamespaceThatFedoraDoesNotRetainIsNamed() {
    seen = running(HERE, RepositoryView.Triples.WITH_ITQL, Set.of("demo", "test"), 0);

    Check check = check("pid-namespaces");
    assertThat(check.state()).isEqualTo(State.WARNING);
    assertThat(check.found()).isEqualTo("retainPIDs lists demo test, but not patent");
  }

  @Test
  void poolsThatAreSmallerThanTheWorkersAreNamed() throws Exception {
    workers = 300;
    content = content(ContentPath.URL, Packaging.FOXML);
    seen = seen.withSettings(settings("mptstore-postgresql"), "home");

    assertThat(check("database-pool").found()).isEqualTo("100 connections for 300 workers");
    assertThat(check("http-threads").advice()).contains("refused");
    assertThat(check("content-server").found()).contains("5 connections for 300 workers");
    assertThat(checks().stream().filter(check -> check.state() == State.WARNING))
        .extracting(Check::name)
        .contains("database-pool", "http-threads", "content-server");
    assertThat(check("triplestore-pool").state()).as("no worker asks it").isEqualTo(State.OK);
  }

  @Test
  void aContentServerOnLoopbackIsOfNoUseToAFedoraElsewhere() {
    content = content(ContentPath.EXTERNAL, Packaging.FOXML);
    assertThat(check("content-server").state()).isEqualTo(State.OK);

    seen = running(ELSEWHERE);
    Check check = check("content-server");
    assertThat(check.state()).isEqualTo(State.PROBLEM);
    assertThat(check.advice()).contains("--content-server");
  }

  @Test
  void aTriplestoreThatDoesNotAnswerIsAWarning() throws Exception {
    seen = running(HERE, RepositoryView.Triples.NOT, Set.of("*"), 0);
    assertThat(check("resource-index").state()).isEqualTo(State.WARNING);

    seen =
        RepositoryView.of(
            Profiles.shipped().profile("mulgara-derby", List.of("triplestore=none")), disk);
    assertThat(check("resource-index").state()).as("as it was asked for").isEqualTo(State.OK);
  }

  @Test
  void clocksThatAreApartAreAWarning() {
    seen = running(HERE, RepositoryView.Triples.WITH_ITQL, Set.of("*"), 61_000);

    Check check = check("clock");
    assertThat(check.state()).isEqualTo(State.WARNING);
    assertThat(check.found()).isEqualTo("Fedora's clock is +60.9 to +61.1 s from this host's");
  }

  @Test
  void aProblemEndsALoadBeforeItBeginsAndAWarningDoesNot() throws Exception {
    List<String> notes = new ArrayList<>();
    workers = 300;
    Preflight warned = Preflight.of(planned(), profile("mulgara-derby"), disk);
    assertThatCode(() -> warned.require(notes::add)).doesNotThrowAnyException();
    assertThat(notes).hasSize(2).allMatch(note -> note.startsWith("Before the load: "));

    objects = 1_000_000_000_000L;
    Preflight refused = Preflight.of(planned(), profile("mulgara-derby"), disk);
    assertThatThrownBy(() -> refused.require(note -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("disk: ")
        .hasMessageContaining("--no-preflight");
  }

  private List<Check> checks() {
    return LoadChecks.of(planned(), seen);
  }

  private Check check(String name) {
    return checks().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  private PlannedLoad planned() {
    return new PlannedLoad(dataset, objects, workers, content, false);
  }

  private static RepositoryView running(URI url) {
    return running(url, RepositoryView.Triples.WITH_ITQL, Set.of("*"), 0);
  }

  private static RepositoryView running(
      URI url, RepositoryView.Triples triples, Set<String> retained, long aheadMillis) {
    return new RepositoryView(
        Optional.of(url),
        "fedoraAdmin",
        Optional.of(new RepositoryDescription("3.8.1", "changeme", retained)),
        Optional.of(triples),
        Optional.of(new ClockOffset(aheadMillis - 100, aheadMillis + 100)),
        Optional.empty(),
        "",
        Optional.empty());
  }

  private static ContentOptions content(ContentPath path, Packaging packaging) {
    return ContentOptions.of(path, packaging, ChecksumChoice.NONE);
  }

  private static Dataset patents(int literalLimitBytes) {
    return Datasets.open(
        "patents:small",
        DatasetOptions.unlimited("patent").withLiteralLimitBytes(literalLimitBytes));
  }

  /** A dataset of one object. */
  private static Dataset titled(String... titles) {
    return new Dataset() {
      @Override
      public String name() {
        return "one";
      }

      @Override
      public Map<String, String> parameters() {
        return Map.of();
      }

      @Override
      public RepositoryObject object(long index) {
        return new ComposedObject(
            "patent:1",
            "one",
            List.of(),
            Arrays.stream(titles).map(title -> new DublinCoreValue("title", title)).toList(),
            List.of(Relationship.toLiteral("http://purl.org/dc/terms/provenance", "here")));
      }

      @Override
      public long size() {
        return 1;
      }

      @Override
      public long meanObjectBytes() {
        return 1;
      }

      @Override
      public int maxLiteralBytes() {
        return Arrays.stream(titles).mapToInt(String::length).max().orElseThrow() + 2;
      }
    };
  }

  private static FedoraSettings settings(String name) {
    return FedoraSettings.of(profile(name));
  }

  private static Profile profile(String name) {
    try {
      return Profiles.shipped().profile(name);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
